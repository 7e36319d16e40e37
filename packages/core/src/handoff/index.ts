export { buildHandoff, type HandoffSources } from './document/build-document.js';
export {
  type HandoffDocument,
  type HandoffItem,
  type HandoffSection,
  type ItemOrigin,
  SECTIONS,
  type SectionId,
} from './document/handoff-document.js';
export { handoffDocumentSchema, parseHandoffDocument } from './document/handoff-document-schema.js';
export { readHandoffText } from './earlier/read-handoff-text.js';
export { STARTING_PROMPT, startingPrompt } from './earlier/starting-prompt.js';
export type { GitChange, GitCommit, GitEvidence } from './evidence/git-evidence.js';
export { addToLedger, ledgerOf } from './ledger/add-to-ledger.js';
export { createLedger, type Ledger } from './ledger/ledger.js';
export { packLedger, unpackLedger } from './ledger/pack-ledger.js';
export { prepareHandoff } from './prepare-handoff.js';
export type { HandoffBudget } from './render/measure.js';
export { renderHandoff, smallestBudget, type ToldHandoff, tellHandoff } from './render/render-handoff.js';
export { buildContextRefreshPrompt, generateSyntheticContextHandoff } from './seed/context-refresh-prompt.js';
export { parseHandoffFromOutput } from './seed/parse-handoff-from-output.js';
export { type CheckedItem, checkedItems } from './verify/checked-items.js';
export {
  compareKnowledge,
  KNOWN_KINDS,
  type KnowledgeComparison,
  type KnownKind,
  type KnownThing,
} from './verify/compare-knowledge.js';
export { completeHandoff } from './verify/complete-handoff.js';
export { type HandoffGap, missingInDocument, verifyHandoff, verifyHandoffText } from './verify/verify-handoff.js';
export type { HandoffEvidence, WantedItem } from './verify/wanted-items.js';
