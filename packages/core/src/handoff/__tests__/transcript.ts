import type { ConversationEvent, ConversationFact, ToolAnswered } from '../../conversation/conversation-event.js';
import type { ToolAction } from '../../conversation/tool-action.js';

/** One thing that happened, or a call with its answer. */
export type Told = ConversationFact | readonly ConversationFact[];

/** Facts as the events of a transcript, one line each. */
export const eventsOf = (...facts: readonly Told[]): ConversationEvent[] =>
  facts.flat().map((fact, index) => ({ ...fact, from: { line: index + 1 } }));

export const asked = (text: string): ConversationFact => ({ type: 'request.made', text });
export const said = (text: string): ConversationFact => ({ type: 'note.written', text });

let calls = 0;

/** A call with its answer. */
function did(action: ToolAction, answer: Partial<ToolAnswered> = {}): readonly ConversationFact[] {
  const callId = `call-${++calls}`;
  return [
    { type: 'tool.called', callId, tool: TOOLS[action.kind] ?? 'Other', input: {}, actions: [action] },
    { type: 'tool.answered', callId, text: '', outcome: 'ok', ...answer },
  ];
}

const TOOLS: Readonly<Record<string, string>> = { command: 'Bash', change: 'Edit', read: 'Read', search: 'Grep' };

export const ran = (command: string, text = '', outcome: ToolAnswered['outcome'] = 'ok') =>
  did({ kind: 'command', command }, { text, outcome });

export const edited = (path: string, after = '') => did({ kind: 'change', path, how: 'edited', after });

export const read = (path: string, text = '') => did({ kind: 'read', path }, { text });

/** A small afternoon's work on a shop. */
export const shopTranscript = (): ConversationEvent[] =>
  eventsOf(
    { type: 'conversation.described', conversationId: 'c-1', folder: '/home/anna/shop', branch: 'fix-totals' },
    asked('The totals are wrong when a voucher is used. Never touch the generated files.'),
    said('I will look at how the cart adds up.'),
    read(
      '/home/anna/shop/src/cart/add-up.ts',
      'export function addUpCart(cart: Cart) {\n  return sumOf(cart.lines);\n}',
    ),
    said('The voucher is subtracted twice because `applyVoucher` runs in both places. I take it out of `addUpCart`.'),
    edited('/home/anna/shop/src/cart/add-up.ts', 'return sumOf(cart.lines) - voucherOf(cart);'),
    ran('npm test -- add-up', 'FAIL add-up.test.ts\n  expected 90, got 100', 'failed'),
    { type: 'task.changed', taskId: '1', title: 'Fix the totals', status: 'in_progress' },
    { type: 'task.changed', taskId: '2', title: 'Write a test for two vouchers', status: 'pending' },
    { type: 'task.changed', taskId: '3', title: 'Reproduce the error', status: 'completed' },
    ran('git status --short', ' M src/cart/add-up.ts'),
    asked('Also look at the invoice page,\nit shows the same number.'),
    said('Let me look at the invoice page next.'),
  );
