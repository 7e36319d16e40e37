import { redactText } from '../redaction/redact-text.js';
import type { ConversationEvent, ToolCalled } from './conversation-event.js';
import type { ToolAction } from './tool-action.js';

/** What a person reads of a conversation: the same for all agents, in few kinds. Secrets are left out, long texts shortened. */
export type ConversationEntry = {
  /** When it was written, as the agent says it. */
  readonly at?: string;
} & (
  | { readonly kind: 'prompt' | 'text' | 'thought' | 'summary' | 'note'; readonly text: string }
  | {
      readonly kind: 'call';
      readonly callId: string;
      readonly tool: string;
      /** What it does, in one line. */
      readonly title: string;
      /** What it changes in files. */
      readonly changes: readonly EntryChange[];
    }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly text: string;
      readonly outcome: 'ok' | 'failed' | 'refused';
      readonly exitCode?: number;
    }
  | {
      readonly kind: 'usage';
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cachedTokens?: number;
    }
  | { readonly kind: 'compacted' | 'cleared' }
);

/** Lines that a call took out of a file, and lines that it put in. */
interface EntryChange {
  readonly path: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const MAX_TEXT = 16_000;
const MAX_RESULT = 6_000;
const MAX_LINES = 120;
const MAX_TITLE = 200;

/** What people read of an event; nothing where there is nothing to read. Pure. */
export function conversationEntry(event: ConversationEvent): ConversationEntry | undefined {
  const at = event.from.at === undefined ? {} : { at: event.from.at };
  const said = (kind: 'prompt' | 'text' | 'thought' | 'summary' | 'note', text: string) =>
    text.trim() === '' ? undefined : { ...at, kind, text: shortened(text, MAX_TEXT) };
  switch (event.type) {
    case 'request.made':
      return said('prompt', event.text);
    case 'note.written':
      return said('text', event.text);
    case 'thought.written':
      return said('thought', event.text);
    case 'summary.written':
      return said('summary', event.text);
    case 'plan.approved':
      return said('note', `Plan approved:\n${event.text}`);
    case 'input.noted':
      return said('note', event.kind === 'interruption' ? 'Interrupted.' : event.text);
    case 'tool.called':
      return { ...at, kind: 'call', ...calledEntry(event) };
    case 'tool.answered': {
      const { callId, outcome, exitCode } = event;
      const text = shortened(event.text, MAX_RESULT);
      return { ...at, kind: 'result', callId, text, outcome, ...(exitCode === undefined ? {} : { exitCode }) };
    }
    case 'usage.reported': {
      const { inputTokens, outputTokens, cachedTokens } = event;
      const cached = cachedTokens === undefined ? {} : { cachedTokens };
      return { ...at, kind: 'usage', inputTokens, outputTokens, ...cached };
    }
    case 'context.compacted':
      return { ...at, kind: 'compacted' };
    case 'context.cleared':
      return { ...at, kind: 'cleared' };
    default:
      return undefined;
  }
}

function calledEntry({ callId, tool, input, actions }: ToolCalled) {
  const titles = actions.map(titleOf).filter((title) => title !== '');
  const title = titles.length > 0 ? titles.join(' · ') : JSON.stringify(input);
  return {
    callId,
    tool,
    title: shortened(title.replace(/\s+/g, ' '), MAX_TITLE),
    changes: actions.flatMap((action) => (action.kind === 'change' ? [changeOf(action)] : [])),
  };
}

function titleOf(action: ToolAction): string {
  switch (action.kind) {
    case 'command':
      return action.command;
    case 'read':
      return `read ${action.path}`;
    case 'change':
      return `${action.how} ${action.path}`;
    case 'search':
      return `search ${action.pattern}`;
    case 'fetch':
      return `fetch ${action.url}`;
    case 'delegation':
      return action.title;
    case 'question':
    case 'plan':
      return action.text;
  }
}

const changeOf = ({ path, before, after }: Extract<ToolAction, { kind: 'change' }>): EntryChange => ({
  path,
  removed: linesOf(before),
  added: linesOf(after),
});

const linesOf = (text = ''): readonly string[] =>
  text === '' ? [] : shortened(text, MAX_TEXT).replace(/\n$/, '').split('\n').slice(0, MAX_LINES);

const shortened = (text: string, most: number): string => {
  const shown = redactText(text.length > most ? text.slice(0, most) : text);
  return text.length > most ? `${shown}\n… ${(text.length - most).toLocaleString('en')} more characters` : shown;
};
