import type { ConversationEvent, ToolCalled } from '../conversation/index.js';
import type { JsonValue } from '../ports/json.js';
import { redactText } from '../redaction/redact-text.js';

/** A piece of a conversation that a search can find: small enough to show, without secrets. */
export interface Passage {
  readonly kind: PassageKind;
  readonly text: string;
  /** The line of the transcript. */
  readonly line: number;
  /** Time of the message (ISO 8601), if the transcript has it. */
  readonly at?: string;
  /** The file or the command that the passage belongs to. */
  readonly about?: string;
}

/** `call` is a tool call that is neither a command nor a change. */
export type PassageKind = 'request' | 'reply' | 'command' | 'change' | 'call' | 'output' | 'task' | 'plan' | 'summary';

/** Turns the events of one transcript, in their order, into passages. Remembers only what open calls are about. */
export type PassageReader = (event: ConversationEvent) => readonly Passage[];

const MAX_OPEN_CALLS = 64;

export function createPassageReader(): PassageReader {
  const openCalls = new Map<string, string>();
  const remember = (callId: string, about: string | undefined) => {
    if (about === undefined) return;
    openCalls.set(callId, about);
    const [oldest] = openCalls.keys();
    if (openCalls.size > MAX_OPEN_CALLS && oldest !== undefined) openCalls.delete(oldest);
  };
  return (event) => {
    switch (event.type) {
      case 'request.made':
        return passages(event, 'request', event.text);
      case 'input.noted':
        return event.kind === 'meta' || event.kind === 'hook' ? [] : passages(event, 'request', event.text);
      case 'note.written':
        return passages(event, 'reply', event.text);
      case 'plan.approved':
        return passages(event, 'plan', event.text);
      case 'summary.written':
        return passages(event, 'summary', event.text);
      case 'tasks.replaced':
        return passages(event, 'task', event.tasks.map(({ title }) => title).join('\n'));
      case 'task.changed':
        return passages(event, 'task', [event.title, event.description].filter(Boolean).join('\n'));
      case 'tool.called': {
        const about = subjectOf(event);
        remember(event.callId, about);
        return passages(event, kindOf(event), textsIn(event.input).join('\n'), about);
      }
      case 'tool.answered': {
        const about = openCalls.get(event.callId);
        openCalls.delete(event.callId);
        return passages(event, 'output', event.text, about);
      }
      default:
        return [];
    }
  };
}

function kindOf({ actions }: ToolCalled): PassageKind {
  if (actions.some(({ kind }) => kind === 'change')) return 'change';
  return actions.some(({ kind }) => kind === 'command') ? 'command' : 'call';
}

const MAX_ABOUT_CHARS = 200;

function subjectOf({ actions }: ToolCalled): string | undefined {
  for (const action of actions) {
    const subject =
      action.kind === 'command'
        ? action.command
        : action.kind === 'change' || action.kind === 'read'
          ? action.path
          : undefined;
    if (subject !== undefined) return redactText(subject.split('\n', 1)[0] ?? '').slice(0, MAX_ABOUT_CHARS);
  }
  return undefined;
}

/** Every string of a value, in order; keys are the tool's own words and say nothing. */
function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(textsIn);
}

function passages({ from }: ConversationEvent, kind: PassageKind, text: string, about?: string): readonly Passage[] {
  return cutIntoPieces(redactText(text)).map((piece) => ({
    kind,
    text: piece,
    line: from.line,
    ...(from.at === undefined ? {} : { at: from.at }),
    ...(about === undefined ? {} : { about }),
  }));
}

const PIECE_CHARS = 6_000;
/** A name cut in two is whole in one of the pieces. */
const OVERLAP_CHARS = 120;

/** Pieces of at most {@link PIECE_CHARS}, at the ends of lines where there are any. */
export function cutIntoPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const limit = start + PIECE_CHARS;
    if (limit >= text.length) {
      pieces.push(text.slice(start));
      break;
    }
    const lineEnd = text.lastIndexOf('\n', limit);
    const isWholeLine = lineEnd > start;
    const end = isWholeLine ? lineEnd : limit;
    pieces.push(text.slice(start, end));
    start = isWholeLine ? end + 1 : end - OVERLAP_CHARS;
  }
  return pieces.filter((piece) => piece.trim() !== '');
}
