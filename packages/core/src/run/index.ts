export { type ReachedBudget, reachedBudget } from './budget.js';
export { costByPrice } from './cost-by-price.js';
export {
  decideRun,
  isUnfinished,
  MOST_PUSHES,
  type RunDecision,
  type RunPatience,
  type RunPrompt,
  type RunSignals,
} from './decide-run.js';
export { holderOfRun, watchOfRun } from './holder-of-run.js';
export { leftByStepNote } from './left-by-step.js';
export {
  type LeftWork,
  type NeededWork,
  type RunEvent,
  type RunOutcome,
  type RunPlan,
  runEventOf,
  type StuckKind,
} from './run-event.js';
export {
  addRunFact,
  addTotals,
  foldRun,
  NO_TOTALS,
  noRunFacts,
  type OpenEscalation,
  type RanCheck,
  type RunFacts,
  type RunPhase,
  type RunTotals,
  runIdOf,
  type Spent,
} from './run-facts.js';
export {
  answerPrompt,
  type GoOnReason,
  goOnPrompt,
  isRunPrompt,
  openingPrompt,
  QUESTION_MARK,
  questionIn,
  RUN_INSTRUCTIONS,
} from './run-prompts.js';
export { addStuckSign, afterProgress, NO_SIGNS, type Stuck, type StuckSigns, stuckBy } from './stuck-signs.js';
export { addUsage, type CostOf, caughtUp, openTally, readAgain, storedTally, type UsageTally } from './usage-tally.js';
