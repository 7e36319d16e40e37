export { renderReportMarkdown } from './render-markdown.js';
export { describePosition, type RunHistory, reportRun, terminalsOfRun } from './report-run.js';
export { type ReportSection, type ReportWords, reportSections } from './report-sections.js';
export type {
  Reinjections,
  ReportContextAction,
  ReportEscalation,
  ReportOutcome,
  ReportRenewal,
  ReportStep,
  RunReport,
} from './run-report.js';
