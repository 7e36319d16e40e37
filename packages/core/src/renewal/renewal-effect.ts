import type { RenewalState } from './renewal-state.js';

/** The next effect of a renewal. Effects are idempotent: after a crash they are repeated. */
export type RenewalEffect =
  | { readonly type: 'ask-for-handoff'; readonly agentId: string; readonly until: number }
  | { readonly type: 'build-document'; readonly agentId: string; readonly words?: string }
  | { readonly type: 'save-checkpoint'; readonly document: string }
  | { readonly type: 'end-agent'; readonly agentId: string }
  | {
      readonly type: 'spawn-agent';
      readonly agentId: string;
      readonly instead: string;
      readonly document: string;
      readonly taskId?: string;
    }
  | { readonly type: 'confirm-takeover'; readonly agentId: string }
  | { readonly type: 'release-task'; readonly taskId: string };

/**
 * The effect that the state promises, or nothing while idle. It follows from the state alone, so a returning
 * supervisor does exactly what its predecessor would have done.
 */
export function pendingEffect(state: RenewalState): RenewalEffect | undefined {
  switch (state.phase) {
    case 'idle':
    case 'failed':
      return undefined;
    case 'requesting-handoff':
      return { type: 'ask-for-handoff', agentId: state.oldAgentId, until: state.until };
    case 'documenting':
      return {
        type: 'build-document',
        agentId: state.oldAgentId,
        ...(state.words !== undefined && { words: state.words }),
      };
    case 'committing':
      return { type: 'save-checkpoint', document: state.document };
    case 'ending':
      return { type: 'end-agent', agentId: state.oldAgentId };
    case 'spawning':
      return {
        type: 'spawn-agent',
        agentId: state.newAgentId,
        instead: state.oldAgentId,
        document: state.document,
        ...(state.taskId !== undefined && { taskId: state.taskId }),
      };
    case 'confirming':
      return { type: 'confirm-takeover', agentId: state.newAgentId };
    case 'releasing':
      // Where there is no task this phase is never entered.
      return state.taskId === undefined ? undefined : { type: 'release-task', taskId: state.taskId };
  }
}
