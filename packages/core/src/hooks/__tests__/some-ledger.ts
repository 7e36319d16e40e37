import type { ConversationFact } from '../../conversation/conversation-event.js';
import { ledgerOf } from '../../handoff/ledger/add-to-ledger.js';

/** The ledger of what happened, in this order. */
export const ledgerWith = (...facts: readonly ConversationFact[]) =>
  ledgerOf(facts.map((fact, index) => ({ ...fact, from: { line: index + 1 } })));

export const asked = (text: string): ConversationFact => ({ type: 'request.made', text });
export const said = (text: string): ConversationFact => ({ type: 'note.written', text });

export const ran = (command: string, outcome: 'ok' | 'failed'): readonly ConversationFact[] => [
  { type: 'tool.called', callId: command, tool: 'Bash', input: { command }, actions: [{ kind: 'command', command }] },
  { type: 'tool.answered', callId: command, text: outcome === 'ok' ? 'fine' : 'Error: 3 tests failed', outcome },
];
