import { createHash } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { pageBehaviour, pageStyle } from './page-asset.ts';

export interface HtmlPage {
  readonly title: string;
  readonly body: SafeHtml;
}

/** A whole document. Its policy lets in our own style and behaviour, by their hashes, and nothing else from anywhere. */
export function htmlPage({ title, body }: HtmlPage): string {
  const style = pageStyle();
  const behaviour = pageBehaviour();
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(behaviour)}; base-uri 'none'; form-action 'none'`;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${html.raw`<style>${style}</style>`}
</head>
<body>
${body}
${html.raw`<script>${behaviour}</script>`}
</body>
</html>
`);
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
