import type { Command } from 'commander';
import { WaterfallStore } from '../report/waterfall/waterfall-store.ts';
import type { OutputGivens } from './check/report-outputs.ts';
import type { Config } from './read-config.ts';

/** The forms of a report: options of every judging command. */
export function describeReports(command: Command): void {
  command
    .option('--json [file]', 'report as JSON, to stdout without a file')
    .option('--junit <file>', 'report as JUnit XML')
    .option('--html <file>', 'report as one HTML file, with the traces drawn')
    .option('--markdown <file>', 'report as Markdown, for a comment or a summary')
    .option('--github', 'on stdout annotations for GitHub Actions too, and a step summary')
    .option('--deterministic', 'leave times and durations out');
}

/** What was asked for; flags win over the configuration. */
export function reportOptions(options: Readonly<Record<string, unknown>>, config: Config): OutputGivens {
  const { json, junit, html, markdown, github } = options;
  const wanted = (html as string | undefined) ?? config.html;
  return {
    json: (json as string | true | undefined) ?? config.json,
    junit: (junit as string | undefined) ?? config.junit,
    html: wanted,
    markdown: (markdown as string | undefined) ?? config.markdown,
    github: github === true,
    waterfalls:
      wanted === undefined ? undefined : new WaterfallStore({ deterministic: options['deterministic'] === true }),
    options,
  };
}
