import { createHash } from 'node:crypto';
import { html } from '@remix-run/html-template';
import { pageAssetText } from './page-asset.ts';

export interface ViewedFile {
  /** As the user named it. */
  readonly name: string;
  /** Path of its page on the server that shows it. */
  readonly page: string;
}

export interface ShellPage {
  readonly document: string;
  readonly policy: string;
}

/** What stands around a page that is served: names of all files, and whatever reloads the page when its file changes. */
export function viewerShell(files: readonly ViewedFile[], at: number): ShellPage {
  const style = pageAssetText('shell.css');
  const behaviour = pageAssetText('shell.js');
  const file = files[at];
  const links = files.map(
    ({ name }, i) => html`<li><a href="/file/${i}"${i === at ? html` aria-current="page"` : null}>${name}</a></li>`,
  );
  const document = String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${file === undefined ? 'otel-eval view' : file.name}</title>
${html.raw`<style>${style}</style>`}
</head>
<body>
${files.length < 2 ? null : html`<nav aria-label="Files"><ul>${links}</ul></nav>`}
${file === undefined ? html`<p>No report and no trace here yet.</p>` : html`<iframe title="${file.name}" src="${file.page}"></iframe>`}
<p id="ended" role="status"></p>
${html.raw`<script>${behaviour}</script>`}
</body>
</html>
`);
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(behaviour)}; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  return { document, policy };
}
