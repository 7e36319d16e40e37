export type { RunEvent, RunOutcome, RunPlan, StuckKind } from './run-event.js';
