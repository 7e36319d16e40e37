import { assertNever } from '../../assert-never.js';
import type {
  ConversationDescribed,
  ConversationEvent,
  InputNoted,
  RequestMade,
} from '../../conversation/conversation-event.js';
import { isOwnPrompt } from '../../run/own-prompts.js';
import { endingOf as ending } from '../../text/cut-text.js';
import { findHandoffText } from '../earlier/find-handoff-text.js';
import { isWithinFolder, relativePath, relativeText } from '../relative-text.js';
import { safeText } from '../safe-text.js';
import { stripTerminal } from '../strip-terminal.js';
import { withoutFields } from '../without-fields.js';
import { addAnswer } from './add-answer.js';
import { addCall } from './add-call.js';
import { addTaskChange, replaceTasks } from './add-tasks.js';
import { BOUNDS, clampText, pushBounded, pushKeepingOldest } from './bounds.js';
import { createLedger, type Ledger, type Request, type Said } from './ledger.js';
import type { MentionKind } from './mention.js';
import { standingSentences } from './standing-sentences.js';

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
      describePlace(ledger, place);
      break;
    }
    case 'request.made':
      if (!isOwnPrompt(event.text)) addRequest(ledger, event);
      break;
    case 'input.noted':
      addInput(ledger, event);
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
    case 'plan.approved':
      if (event.from.subAgent === undefined)
        ledger.plan = { text: clampText(event.text), step: ledger.step, from: event.from, isApproved: true };
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

type From = Pick<ConversationEvent, 'from'>;

function addInput(ledger: Ledger, event: InputNoted & From): void {
  if (event.from.subAgent !== undefined || event.kind === 'meta') return;
  const said = sayIn(ledger, event, 'request');
  const command = ledger.shell.at(-1);
  if (event.kind === 'shell') pushBounded(ledger.shell, said, BOUNDS.shell);
  else if (event.kind === 'command-output' && command !== undefined && command.step === said.step - 1)
    ledger.shell.splice(-1, 1, { ...command, text: clampText(`${command.text}\n${said.text}`) });
  ledger.lastInput = { ...said, kind: event.kind };
}

function addRequest(ledger: Ledger, event: RequestMade & From): void {
  if (event.from.subAgent !== undefined || event.text.trim() === '') return;
  // An agent that no user talks to has its work from its team; to others, what the team says is news.
  if (event.by !== undefined && ledger.requests.some(({ by }) => by === undefined)) {
    addInput(ledger, { type: 'input.noted', kind: 'notification', text: event.text, from: event.from });
    return;
  }
  const replyTo = event.refusing === undefined ? lastWordsSince(ledger) : undefined;
  const said: Request = {
    ...sayIn(ledger, event, 'request'),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(event.by === undefined ? {} : { by: event.by }),
  };
  for (const text of standingSentences(findHandoffText(said.text)?.rest ?? said.text)) {
    if (!ledger.standing.some((known) => known.text === text))
      pushKeepingOldest(ledger.standing, { ...said, text }, BOUNDS.standing);
  }
  if (event.refusing !== undefined) {
    // What was refused has just been told, by the answer to the call.
    const refused = ledger.troubles.findLast(({ from }) => from.line === event.from.line);
    pushBounded(ledger.refusals, { ...said, what: refused?.what ?? event.refusing }, BOUNDS.refusals);
    return;
  }
  ledger.since = { commands: 0, failed: 0 };
  ledger.firstRequest ??= said;
  pushBounded(ledger.requests, said, BOUNDS.requests);
}

/** The end of what the agent said last, where that was after the last request. */
function lastWordsSince({ notes, requests }: Ledger): string | undefined {
  const last = notes.at(-1);
  return last === undefined || last.step < (requests.at(-1)?.step ?? 0) ? undefined : ending(last.text, BOUNDS.replyTo);
}

/** Words are kept as they were said; names in them are those that are used elsewhere. */
function sayIn(ledger: Ledger, { text, from }: { text: string; from: Said['from'] }, kind: MentionKind): Said {
  ledger.step += 1;
  const said = stripTerminal(clampText(text));
  const { folder } = ledger.place;
  const relative = () => withoutFields(relativeText(said, folder));
  if (kind === 'request') ledger.mentions.act(relative(), { kind, step: ledger.step });
  else ledger.mentions.show(said.length, () => safeText(relative()), { kind, step: ledger.step });
  return { text: said, step: ledger.step, from };
}

/**
 * The shell of an agent goes from folder to folder; paths are told from one. That is the first, once a file in it was
 * touched or while the shell stays in it: otherwise the same file would have two names.
 */
function describePlace(ledger: Ledger, { folder, ...place }: Omit<ConversationDescribed, 'type'>): void {
  ledger.place = { ...ledger.place, ...place };
  if (folder === undefined) return;
  const first = ledger.place.folder;
  const stays = first !== undefined && (isWithinFolder(folder, first) || touchesOwnFiles(ledger));
  ledger.place = { ...ledger.place, folder: stays ? first : folder, shellFolder: folder };
  if (!stays && first !== undefined) nameFilesFrom(ledger, folder);
}

const touchesOwnFiles = ({ files }: Ledger): boolean => [...files.keys()].some((path) => !/^(?:[/~]|\w:)/.test(path));

/** So far all of them lie outside, and have their whole paths. */
function nameFilesFrom(ledger: Ledger, folder: string): void {
  const files = [...ledger.files.values()].map((file) => ({ ...file, path: relativePath(file.path, folder) }));
  ledger.files.clear();
  for (const file of files) ledger.files.set(file.path, file);
}
