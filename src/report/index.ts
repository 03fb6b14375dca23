export { formatGithub } from './format-github.ts';
export { formatJson } from './format-json.ts';
export { formatJunit } from './format-junit.ts';
export { formatMarkdown } from './format-markdown.ts';
export { type FormatTerminalOptions, formatTerminal } from './format-terminal.ts';
export { type FormatHtmlOptions, formatHtml } from './html/format-html.ts';
export type {
  AssertionReport,
  FindingReport,
  Report,
  ReportSource,
  ScenarioReport,
  Status,
  TrialReport,
} from './report.ts';
export { reportSchema } from './report-schema.ts';
export type { SpanFact, Waterfall, WaterfallRow } from './waterfall/waterfall.ts';
export type { Waterfalls } from './waterfall/waterfall-store.ts';
