export { type ReachedBudget, reachedBudget } from './budget.js';
export {
  addPriced,
  addStated,
  type CostAccount,
  openAccount,
  storedAccount,
  unstoredCost,
} from './cost-account.js';
export { costByPrice } from './cost-by-price.js';
export {
  decideRun,
  howSettled,
  isUnfinished,
  MAX_PUSHES,
  type MissingTools,
  type RunDecision,
  type RunPatience,
  type RunPrompt,
  type RunSignals,
  TOLD,
} from './decide-run.js';
export { holderOfRun, watchOfRun } from './holder-of-run.js';
export { leftByStepNote } from './left-by-step.js';
export { followOpenedRun, openedBy, runOpened } from './opened-run.js';
export {
  AFTER_LIMIT_PROMPT,
  GO_ON_PROMPT,
  handoffRequest,
  isOwnPrompt,
  LEDGER_LEAD,
  RESUME_PROMPT,
  readFilePrompt,
  requestMark,
  TOOLS_PROMPT,
} from './own-prompts.js';
export { type AnswerStored, answerQuestion, openQuestions, type Question } from './records/answer-question.js';
export { describeRun, listRuns, type RunListing, type SeenTerminals } from './records/list-runs.js';
export { readHistory } from './records/read-history.js';
export {
  createRunReader,
  type OpenedStore,
  type RunReader,
  type RunsUpTo,
  readRuns,
  readRunsUpTo,
} from './records/read-runs.js';
export { describeRewinding, rewindingOf } from './rewinding-of.js';
export {
  type LeftWork,
  type NeededWork,
  type PushedWork,
  type Rewinding,
  type RunEvent,
  type RunHolder,
  type RunOutcome,
  type RunPlan,
  runEventOf,
  type SaidWork,
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
  type UnseenAnswer,
} from './run-facts.js';
export {
  answerLead,
  answerPrompt,
  type GoOnReason,
  goOnPrompt,
  type Known,
  openingPrompt,
  QUESTION_MARK,
  questionIn,
  RUN_INSTRUCTIONS,
  withLastWords,
} from './run-prompts.js';
export { addStuckSign, afterProgress, NO_SIGNS, type Stuck, type StuckSigns, stuckBy } from './stuck-signs.js';
export { parseToolsReport, type ToolsReport, writeToolsReport } from './tools-report.js';
export { addUsage, type CostOf, caughtUp, openTally, readAgain, storedTally, type UsageTally } from './usage-tally.js';
