export {
  decide,
  type ReminderReason,
  type RenewalReason,
  renewalDue,
  type TerminalDecision,
  whyLeftToAgent,
} from './decide.js';
export { DEFAULT_POLICY, type TerminalPolicy } from './policy.js';
export { type ContextUsage, pressureOf } from './pressure.js';
export { DEFAULT_MARKS, type MarkLevel, markOf, type PressureMark, type PressureMarks } from './pressure-mark.js';
export { type RenewalRow, type RowRefusal, refusalOfRow } from './renewal-row.js';
export { NO_HISTORY, type TerminalHistory } from './terminal-history.js';
export type { AgentExit, AgentLimit, ReminderSignals, TerminalSignals } from './terminal-signals.js';
