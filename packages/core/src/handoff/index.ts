export { buildHandoff, type HandoffSources } from './document/build-document.js';
export {
  type HandoffDocument,
  type HandoffItem,
  type HandoffSection,
  SECTIONS,
  type SectionId,
} from './document/handoff-document.js';
export { addToLedger, ledgerOf } from './ledger/add-to-ledger.js';
export { createLedger, type Ledger } from './ledger/ledger.js';
export type { HandoffBudget } from './render/measure.js';
export { renderHandoff } from './render/render-handoff.js';
export { buildContextRefreshPrompt, generateSyntheticContextHandoff } from './seed/context-refresh-prompt.js';
export { parseHandoffFromOutput } from './seed/parse-handoff-from-output.js';
export { completeHandoff } from './verify/complete-handoff.js';
export { diffHandoffs, type LostItem } from './verify/diff-handoffs.js';
export { type HandoffEvidence, type MissingItem, verifyHandoff } from './verify/verify-handoff.js';
