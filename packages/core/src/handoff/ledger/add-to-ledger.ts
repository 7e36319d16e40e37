import { assertNever } from '../../assert-never.js';
import type { ConversationEvent } from '../../conversation/conversation-event.js';
import { addAnswer } from './add-answer.js';
import { addCall } from './add-call.js';
import { addTaskChange, replaceTasks } from './add-tasks.js';
import { BOUNDS, clampText, pushBounded } from './bounds.js';
import { createLedger, type Ledger, type Said } from './ledger.js';
import type { MentionKind } from './mention.js';

/** The ledger of a whole conversation. */
export function ledgerOf(events: Iterable<ConversationEvent>): Ledger {
  const ledger = createLedger();
  for (const event of events) addToLedger(ledger, event);
  return ledger;
}

/** Takes one more event into the ledger, which it changes. */
export function addToLedger(ledger: Ledger, event: ConversationEvent): void {
  switch (event.type) {
    case 'conversation.described': {
      const { type: _, from: __, ...place } = event;
      ledger.place = { ...ledger.place, ...place };
      break;
    }
    case 'request.made':
      addRequest(ledger, event);
      break;
    case 'input.noted':
      if (event.from.subAgent === undefined && event.kind !== 'meta')
        ledger.lastInput = sayIn(ledger, event, 'request');
      break;
    case 'note.written':
      // What a sub-agent says is for the agent, whose own notes tell what came of it.
      if (event.from.subAgent !== undefined || event.text.trim() === '') return;
      pushBounded(ledger.notes, sayIn(ledger, event, 'note'), BOUNDS.notes);
      break;
    case 'tool.called':
      addCall(ledger, event);
      break;
    case 'tool.answered':
      addAnswer(ledger, event);
      break;
    case 'tasks.replaced':
      replaceTasks(ledger, event);
      break;
    case 'task.changed':
      addTaskChange(ledger, event);
      break;
    case 'context.compacted':
      ledger.compactions += 1;
      break;
    case 'summary.written':
      ledger.summary = sayIn(ledger, event, 'summary');
      break;
    case 'context.cleared':
      Object.assign(ledger, { ...createLedger(), place: ledger.place });
      break;
    case 'thought.written': // not said to anybody
    case 'usage.reported':
    case 'usage.grew':
      break;
    default:
      assertNever(event);
  }
}

function addRequest(ledger: Ledger, event: ConversationEvent & { readonly text: string }): void {
  if (event.from.subAgent !== undefined || event.text.trim() === '') return;
  const said = sayIn(ledger, event, 'request');
  ledger.firstRequest ??= said;
  pushBounded(ledger.requests, said, BOUNDS.requests);
}

function sayIn(ledger: Ledger, { text, from }: { text: string; from: Said['from'] }, kind: MentionKind): Said {
  ledger.step += 1;
  const clamped = relativeText(clampText(text), ledger.place.folder);
  if (kind === 'request') ledger.mentions.act(clamped, { kind, step: ledger.step });
  else ledger.mentions.show(clamped.length, () => clamped, { kind, step: ledger.step });
  return { text: clamped, step: ledger.step, from };
}

/** Paths within the folder of the conversation are told from there, as the next conversation begins in it. */
export function relativeText(text: string, folder: string | undefined): string {
  return folder !== undefined && folder.length > 1 ? text.replaceAll(`${folder}/`, '') : text;
}
