export type { EscalationDiagnosis } from './escalation.js';
export { TurnExecutor, type TurnExecutorDeps, type TurnOutcome } from './turn-executor.js';
export type { TurnCall, TurnCost } from './turn-ledger.js';
