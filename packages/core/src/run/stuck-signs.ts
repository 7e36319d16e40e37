import type { StuckSettings } from '../config/settings.js';
import type { ConversationEvent } from '../conversation/conversation-event.js';
import type { JsonObject } from '../ports/json.js';
import { errorFingerprint } from './error-fingerprint.js';
import type { StuckKind } from './run-event.js';

/** Signs in an agent's conversation of going round in circles. Bounded for any length. */
export interface StuckSigns {
  /** The last call that failed, and how often it did in a row without anything changed in between. */
  readonly action?: { readonly call: string; readonly count: number; readonly shown: string };
  /** How often each error came, by its fingerprint, since the last step. */
  readonly errors: Readonly<Record<string, { readonly count: number; readonly shown: string }>>;
  /** The last call that went well, and how often it gave the same answer in a row. */
  readonly repeated?: {
    readonly call: string;
    readonly answer: string;
    readonly count: number;
    readonly shown: string;
  };
  /** Calls without an answer yet. */
  readonly open: Readonly<Record<string, OpenCall>>;
  /** The agent's last message. */
  readonly lastNote: string;
}

interface OpenCall {
  readonly call: string;
  readonly shown: string;
  readonly changesSomething: boolean;
  /** Neither a command nor a file: such are the tools of devs itself. */
  readonly isPlainTool: boolean;
}

export interface Stuck {
  readonly kind: StuckKind;
  readonly detail: string;
}

export const NO_SIGNS: StuckSigns = { errors: {}, open: {}, lastNote: '' };

const MAX_OPEN = 64;
const MAX_ERRORS = 64;
const SHOWN_CHARS = 200;
const NOTE_CHARS = 4_000;
const ANSWER_CHARS = 1_000;
/** Who waits for something asks again, too, but not so often without a pause in between that says something else. */
const MAX_REPEATS = 50;

/** Pure: the signs after one more event of the conversation. */
export function addStuckSign(signs: StuckSigns, event: ConversationEvent): StuckSigns {
  switch (event.type) {
    case 'note.written':
      return { ...signs, lastNote: event.text.slice(-NOTE_CHARS) };
    case 'request.made':
      return { ...signs, lastNote: '' };
    case 'tool.called': {
      const { callId, tool, input, actions } = event;
      const changesSomething = actions.some(({ kind }) => kind === 'change');
      const open = {
        call: `${tool} ${stable(input)}`,
        shown: showCall(event),
        changesSomething,
        isPlainTool: actions.length === 0,
      };
      return { ...signs, open: keepLast({ ...signs.open, [callId]: open }, MAX_OPEN) };
    }
    case 'tool.answered': {
      const { [event.callId]: call, ...open } = signs.open;
      if (call === undefined || event.outcome === 'refused' || isOutage(call, event.text)) return { ...signs, open };
      return event.outcome === 'ok'
        ? went({ ...signs, open }, call, event.text)
        : failed({ ...signs, open }, call, event.text);
    }
    default:
      return signs;
  }
}

/** An unreachable store says nothing about the agent, which can only try again. */
const isOutage = ({ isPlainTool }: OpenCall, text: string): boolean =>
  isPlainTool && /\bcode\b\W{1,8}STORE_(?:UNAVAILABLE|CONTENDED)\b/.test(text);

/** A step has ended, or the user has answered: earlier failures are over. */
export const afterProgress = ({ open }: StuckSigns): StuckSigns => ({ errors: {}, open, lastNote: '' });

/** What shows that it is stuck; `quietMs`: how long nothing has come of its work. */
export function stuckBy(
  signs: StuckSigns,
  { quietMs }: { readonly quietMs: number },
  settings: StuckSettings,
): Stuck | undefined {
  if (!settings.enabled) return undefined;
  const { action } = signs;
  if (action !== undefined && action.count >= settings.sameAction)
    return { kind: 'same-action', detail: `${action.shown} failed ${action.count} times in a row` };
  const error = Object.values(signs.errors).find(({ count }) => count >= settings.sameError);
  if (error !== undefined)
    return { kind: 'same-error', detail: `the same error came ${error.count} times: ${error.shown}` };
  const { repeated } = signs;
  if (repeated !== undefined && repeated.count >= MAX_REPEATS)
    return { kind: 'no-progress', detail: `${repeated.shown} gave the same answer ${repeated.count} times in a row` };
  if (quietMs >= settings.minutes * 60_000)
    return { kind: 'no-progress', detail: `nothing has come of its work for ${Math.floor(quietMs / 60_000)} minutes` };
  return undefined;
}

function went(signs: StuckSigns, { call, shown, changesSomething }: OpenCall, text: string): StuckSigns {
  const { action, repeated: before, ...rest } = signs;
  const isOver = changesSomething || action?.call === call;
  const answer = text.slice(0, ANSWER_CHARS);
  const isAgain = before?.call === call && before.answer === answer;
  const repeated = { call, answer, shown, count: isAgain ? before.count + 1 : 1 };
  return { ...rest, repeated, ...(action === undefined || isOver ? {} : { action }) };
}

function failed(signs: StuckSigns, { call, shown }: OpenCall, text: string): StuckSigns {
  const { fingerprint, line } = errorFingerprint(text);
  const count = signs.action?.call === call ? signs.action.count + 1 : 1;
  const before = Object.hasOwn(signs.errors, fingerprint) ? (signs.errors[fingerprint]?.count ?? 0) : 0;
  const { [fingerprint]: _, ...others } = signs.errors;
  const error = { count: before + 1, shown: line.slice(0, SHOWN_CHARS) };
  return {
    ...signs,
    action: { call, shown, count },
    errors: keepLast({ ...others, [fingerprint]: error }, MAX_ERRORS),
  };
}

function keepLast<T>(record: Readonly<Record<string, T>>, most: number): Readonly<Record<string, T>> {
  const entries = Object.entries(record);
  return entries.length <= most ? record : Object.fromEntries(entries.slice(-most));
}

type ToolCalled = Extract<ConversationEvent, { readonly type: 'tool.called' }>;

/** The same for the same input, independent of the order of its keys. */
const stable = (input: JsonObject): string =>
  JSON.stringify(input, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** As its user would type it, where it is a command. */
function showCall({ tool, input, actions: [action, ...others] }: ToolCalled): string {
  if (action?.kind === 'command' && others.length === 0) return `\`${cutOff(action.command)}\``;
  return `${tool} ${cutOff(JSON.stringify(input))}`;
}

const cutOff = (text: string): string => (text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text);
