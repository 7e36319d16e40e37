import type { ConversationEvent } from '@devs/core';
import { type StatusFact, timeOf } from './standing-fact.js';

/** Status facts in the neutral events of any agent. Pure. */
export function eventStanding(event: ConversationEvent): readonly StatusFact[] {
  if (event.from.subAgent !== undefined) return [];
  const at = timeOf(event.from.at);
  switch (event.type) {
    case 'request.made':
      return [{ type: 'turn-began', detail: 'a prompt in the transcript', ...at }];
    case 'tool.called': {
      const [action] = event.actions;
      const detail = action?.kind === 'command' ? action.command : JSON.stringify(event.input);
      return [
        { type: 'called', callId: event.callId, tool: event.tool, detail: detail.slice(0, MAX_DETAIL_LENGTH), ...at },
        ...(event.actions.some((one) => one.kind === 'command' && one.inBackground === true)
          ? [{ type: 'background-began', callId: event.callId, ...at } as const]
          : []),
      ];
    }
    case 'tool.answered':
      return [{ type: 'call-answered', callId: event.callId, refused: event.outcome === 'refused', ...at }];
    case 'input.noted':
      if (event.kind === 'interruption')
        return [
          { type: 'turn-ended', detail: 'interrupted by the user', ...at },
          { type: 'interrupted', ...at },
        ];
      if (event.kind === 'notification') return endedInBackground(event.text, at);
      return [];
    default:
      return [];
  }
}

const MAX_DETAIL_LENGTH = 500;

function endedInBackground(text: string, at: { readonly at?: number }): readonly StatusFact[] {
  const callId = /<tool-use-id>\s*([^<\s]+)/.exec(text)?.[1];
  return callId === undefined ? [] : [{ type: 'background-ended', callId, ...at }];
}
