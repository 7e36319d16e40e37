export { capturedOutput } from './captured-output.js';
export {
  CONTEXT_REFRESH_GIT_TIMEOUT_MS,
  CONTEXT_REFRESH_HANDOFF_TIMEOUT_MS,
  CONTEXT_REFRESH_SPAWN_DELAY_MS,
  MAX_CONTEXT_REFRESHES,
  OUTPUT_BUFFER_SIZE,
} from './constants.js';
export { type AutoHandoffQuestion, type AutoHandoffVerdict, maybeAutoHandoff } from './maybe-auto-handoff.js';
export {
  maybeContextRefresh,
  type RefreshQuestion,
  type RefreshRefusal,
  type RefreshVerdict,
} from './maybe-context-refresh.js';
export { pendingEffect, type RenewalEffect } from './renewal-effect.js';
export type { BesideRenewal, HandoffEvent, RenewalCause, RenewalEvent, RenewalStarted } from './renewal-event.js';
export {
  type ContextRefreshState,
  contextRefreshState,
  isRenewing,
  NEVER_RENEWED,
  type RenewalCounts,
  type RenewalState,
} from './renewal-state.js';
export { foldRenewal, transitionRenewal } from './transition-renewal.js';
