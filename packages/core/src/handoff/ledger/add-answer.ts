import type { ToolAnswered } from '../../conversation/conversation-event.js';
import type { Provenance } from '../../conversation/provenance.js';
import type { ToolAction } from '../../conversation/tool-action.js';
import { keyLines } from '../key-lines.js';
import { relativeText } from '../relative-text.js';
import { type SafeText, safeText } from '../safe-text.js';
import { stripTerminal } from '../strip-terminal.js';
import { withoutFields } from '../without-fields.js';
import { BOUNDS, beginningOf, clampText, pushBounded, touchBounded } from './bounds.js';
import { describeCall } from './describe-call.js';
import { commandKey, inItsFolder, type Ledger, type Trouble, type WaitingCall } from './ledger.js';
import { once } from './once.js';
import { touchFile } from './touch-file.js';

/** What a call came to: the result of a command, an error that stands or is gone, the user's answer to a question. */
export function addAnswer(ledger: Ledger, answer: ToolAnswered & { from: Provenance }): void {
  const call = ledger.waiting.get(answer.callId);
  ledger.waiting.delete(answer.callId);
  const result = resultOf(answer, ledger);
  const place = call?.actions.map(placeOf).find((found) => found !== undefined);
  const isReport = call?.actions.some(({ kind }) => kind === 'delegation') ?? false;
  const kind = answer.outcome === 'failed' ? 'failed-result' : isReport ? 'report' : 'result';
  const shown = place === undefined ? () => withoutFields(result.text()) as SafeText : result.text;
  ledger.mentions.show(result.chars, shown, { kind, step: ledger.step, place });
  if (call === undefined) return;
  if (answer.outcome === 'ok' && call.from.subAgent === undefined)
    ledger.lastDone = Math.max(ledger.lastDone, call.step);
  if (answer.from.subAgent === undefined && !result.isBlank) {
    const text = once(() => clampText(result.text(), BOUNDS.recentChars) as SafeText);
    const recent = {
      what: describeCall(call),
      from: answer.from,
      get text() {
        return text();
      },
    };
    pushBounded(ledger.recent, recent, BOUNDS.recent);
  }
  for (const action of call.actions) addOutcome(ledger, action, result, call);
  if (call.actions.length === 0) addTrouble(ledger, { what: call.tool, kind: 'other', key: call.tool }, result);
}

/** Most results are never read: expensive work is done on demand. */
interface Result extends Pick<ToolAnswered, 'outcome' | 'exitCode'> {
  readonly from: Provenance;
  readonly chars: number;
  readonly isBlank: boolean;
  /** Not to be shown. */
  readonly raw: () => string;
  /** Without secrets: lines of it are shown by themselves. */
  readonly text: () => SafeText;
}

function resultOf(answer: ToolAnswered & { from: Provenance }, ledger: Ledger): Result {
  const { outcome, exitCode, from } = answer;
  const { folder } = ledger.place;
  const beginning = () => beginningOf(answer.text, BOUNDS.resultChars);
  const raw = answer.textBytes === undefined ? keeping(beginning()) : beginning;
  return {
    outcome,
    ...(exitCode === undefined ? {} : { exitCode }),
    from,
    chars: Math.min(answer.textBytes ?? answer.text.length, BOUNDS.resultChars),
    isBlank: answer.textBytes === undefined && answer.text.trim() === '',
    raw,
    text: once(() => safeText(relativeText(raw(), folder))),
  };
}

const keeping = (text: string) => () => text;

function addOutcome(ledger: Ledger, action: ToolAction, answer: Result, call: WaitingCall) {
  switch (action.kind) {
    case 'command':
      addCommand(ledger, action, answer);
      return addTrouble(
        ledger,
        { what: action.command, kind: 'command', key: inItsFolder(action), folder: action.folder },
        answer,
      );
    case 'change':
    case 'read': {
      const { kind, path } = action;
      if (answer.outcome === 'ok') touchFile(ledger, action, call);
      const what = `${call.tool} of ${path}`;
      return addTrouble(ledger, { what, kind, key: kind === 'change' ? path : `read of ${path}` }, answer);
    }
    case 'search': {
      if (answer.outcome !== 'ok')
        return addTrouble(ledger, { what: action.pattern, kind: 'search', key: action.pattern }, answer);
      const where = action.path ?? action.glob;
      const matches = once(() => countMatches(stripTerminal(answer.raw())));
      const search = {
        pattern: action.pattern,
        where,
        get matches() {
          return matches();
        },
        step: ledger.step,
        from: call.from,
      };
      return touchBounded(ledger.searches, `${action.pattern} ${where ?? ''}`, search, BOUNDS.searches);
    }
    case 'plan':
      if (answer.outcome === 'ok' && action.text !== '' && call.from.subAgent === undefined)
        ledger.plan = { text: action.text, step: ledger.step, from: call.from, isApproved: true };
      return addAnswered(ledger, action, answer, call);
    case 'question':
      return addAnswered(ledger, action, answer, call);
    case 'fetch':
      return addTrouble(ledger, { what: action.url, kind: 'fetch', key: action.url }, answer);
    case 'delegation':
      return addTrouble(ledger, { what: action.title, kind: 'delegation', key: action.title }, answer);
  }
}

/** Once for all questions of a call. A failure or refusal is not an answer. */
function addAnswered(ledger: Ledger, action: ToolAction, { outcome, text, from }: Result, call: WaitingCall): void {
  if (outcome !== 'ok' || call.actions[0] !== action) return;
  const question = call.actions.flatMap((asked) => (asked.kind === 'question' ? [asked.text] : [])).join('\n');
  const answered = { question, text: clampText(text(), MAX_ANSWER_LENGTH), step: ledger.step, from };
  pushBounded(ledger.answers, answered, BOUNDS.answers);
}

const MAX_ANSWER_LENGTH = 1_500;

const countMatches = (text: string) =>
  /^(?:No (?:matches|files) found|Found 0)/.test(text)
    ? 0
    : text.split('\n').filter((line) => line.trim() !== '').length;

function addCommand(
  ledger: Ledger,
  { command, purpose, inBackground, folder }: ToolAction & { kind: 'command' },
  { outcome, exitCode, text, from }: Result,
): void {
  const result = once(() => keyLines(text(), 2));
  const key = commandKey({ command, folder });
  const known = ledger.commands.get(key);
  if (from.subAgent === undefined && outcome !== 'refused') {
    ledger.since.commands += 1;
    if (outcome === 'failed') ledger.since.failed += 1;
  }
  const entry = {
    command,
    folder,
    purpose: purpose ?? known?.purpose,
    runs: (known?.runs ?? 0) + 1,
    outcome: inBackground && outcome === 'ok' ? ('running' as const) : outcome,
    exitCode,
    get result() {
      return result();
    },
    step: ledger.step,
    from,
  };
  touchBounded(ledger.commands, key, entry, BOUNDS.commands);
}

function addTrouble(
  ledger: Ledger,
  { what, kind, key, folder }: Pick<Trouble, 'what' | 'kind' | 'key' | 'folder'>,
  { outcome, text, from }: Result,
): void {
  if (outcome === 'ok') {
    for (const trouble of ledger.troubles) if (trouble.kind === kind && trouble.key === key) trouble.resolved = true;
    return;
  }
  const message = once(() => (outcome === 'refused' ? '' : keyLines(text(), 3)));
  const trouble = {
    what: clampText(what, 400),
    kind,
    key,
    ...(folder === undefined ? {} : { folder }),
    get message() {
      return message();
    },
    resolved: false,
    refused: outcome === 'refused',
    step: ledger.step,
    from,
  };
  pushBounded(ledger.troubles, trouble, BOUNDS.troubles);
}

function placeOf(action: ToolAction): string | undefined {
  switch (action.kind) {
    case 'change':
    case 'read':
      return action.path;
    case 'search':
      return action.path ?? action.glob;
    default:
      return undefined;
  }
}
