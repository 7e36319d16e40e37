import type { StoredEvent } from '../ports/event-log.js';
import type { JsonObject, JsonValue } from '../ports/json.js';
import { grouped, numberOf, phrase, textOf } from './event-words.js';

/** What happened in a terminal; `undefined` for events of other kinds. */
export const describeTerminalEvent = ({ type, data }: Pick<StoredEvent, 'type' | 'data'>): string | undefined =>
  SENTENCES.get(type)?.((key) => textOf(data[key]), data);

type Sentence = (text: (key: string) => string, data: JsonObject) => string;

const SENTENCE_OF: Readonly<Record<string, Sentence>> = {
  'terminal.opened': (_, data) => `opened for ${textOf((data.launch as JsonObject | undefined)?.agent)}`,
  'restart.started': (text) => RESTARTS[text('why')] ?? 'an agent is started',
  'restart.failed': (text) => phrase('the agent could not be started', text('error')),
  'spawn.failed': (text) => phrase('the agent could not be started', text('error')),
  'agent.spawned': () => 'the agent runs',
  'agent.exited': (_, data) => describeExit(data.exit),
  'agent.cleared': () => 'everything of the old agent is gone',
  'agent.ended': (_, data) => (data.forced === true ? 'the old agent was ended by force' : 'the old agent has ended'),
  'agent.worked': () => 'the agent has worked again',
  'conversation.observed': (text) => `in the conversation ${text('conversationId')}`,
  'renewal.started': (text) => `a renewal begins (${text('cause')})`,
  'renewal.abandoned': (text) => phrase('the renewal was stopped', text('reason')),
  'handoff.received': (text) => `its own words came by ${text('source')}`,
  'handoff.missed': (text) => phrase('no words of its own', text('reason')),
  'document.verified': (text) => `the handoff is written and verified, ${grouped(text('document').length)} characters`,
  'checkpoint.saved': (text, data) => `the files are kept on ${text('ref')}${without(data.leftOut)}`,
  'checkpoint.skipped': (text) => phrase('no checkpoint', text('reason')),
  'takeover.confirmed': () => 'the new agent has taken up the work',
  'takeover.missed': (text) => phrase('the new agent did not take up the work', text('reason')),
  'agent.left-alone': (text) => phrase('not renewed, and left to its own compaction', text('why')),
  'trouble.met': (text) => phrase('trouble', text('detail')),
  'progress.made': () => 'a step or task ended, or you gave it something else to do',
  'permission.observed': (text) => `you allowed ${text('tool')} ${text('detail')}`.trim(),
  'terminal.parked': (text) => phrase('parked', text('why')),
  'park.ended': () => 'the waiting is over',
  'limit.passed': () => 'the provider answers again',
  'terminal.stopped': () => 'to be stopped',
  'dialog.answered': (text) => phrase(`answered with ${text('keys')}`, text('question')),
  'text.intended': (text) => phrase('told', text('text')),
  'prompt.intended': (text) => phrase('told', text('text')),
  'prompt.repeated': () => 'the same prompt is tried again',
  'prompt.settled': (text) => `that was ${text('outcome')}`,
  'context-action.settled': (text) => `/${text('action')}: ${text('outcome')}`,
  'usage.observed': (_, data) =>
    `the context holds ${grouped(numberOf(data.usedTokens))} of ${grouped(numberOf(data.windowTokens))} tokens`,
  'reminder.given': (text) =>
    text('kind') === 'ledger' ? 'it was given what its compaction may have lost' : 'it was reminded of the specs',
  'protocol.observed': (text) => PROTOCOL[text('what')] ?? `its answer: ${text('what')}`,
};
const SENTENCES: ReadonlyMap<string, Sentence> = new Map(Object.entries(SENTENCE_OF));

const RESTARTS: Readonly<Record<string, string>> = {
  first: 'the agent is started',
  crash: 'the agent crashed; its conversation is opened again',
  again: 'the agent is started again',
  undo: 'back to the conversation before the last renewal',
  tools: 'the agent is started again, for its workflow tools',
  clear: 'an agent with an empty conversation is started',
};

const PROTOCOL: Readonly<Record<string, string>> = {
  're-injected': 'the specs were put in front of it again',
  resumed: 'an answer that was cut off was resumed',
  corrected: 'a malformed answer was asked for again',
};

function describeExit(exit: JsonValue | undefined): string {
  const { kind, exitCode, signal } = (exit ?? {}) as JsonObject;
  if (exitCode === undefined && kind === 'ended') return 'the agent was ended';
  if (kind === 'lost') return 'the agent is gone, with the host of its terminal';
  const how =
    typeof signal === 'number' && signal > 0
      ? `it was ended by ${SIGNALS[signal] ?? `signal ${signal}`}`
      : `exit code ${String(exitCode ?? '?')}`;
  return phrase(kind === 'crashed' ? 'the agent crashed' : 'the agent ended', how);
}

/** The numbers that all systems agree on. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};

/** Parts that the user would miss. */
const without = (leftOut: JsonValue | undefined): string =>
  Array.isArray(leftOut) ? `, without ${leftOut.map(textOf).join(', ')}` : '';
