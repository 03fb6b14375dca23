export { formatJson } from './format-json.ts';
export { formatJunit } from './format-junit.ts';
export { type FormatTerminalOptions, formatTerminal } from './format-terminal.ts';
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
