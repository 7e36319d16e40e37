import type { StoredEvent } from '../ports/event-log.js';
import type { JsonObject, JsonValue } from '../ports/json.js';
import { limitIn } from '../waiting/why-it-waits.js';
import { grouped, numberOf, phrase, textOf } from './event-words.js';

/** What happened in a terminal; `undefined` for events of other kinds. */
export const describeTerminalEvent = ({ type, data }: Pick<StoredEvent, 'type' | 'data'>): string | undefined =>
  SENTENCES.get(type)?.((key) => textOf(data[key]), data);

type Sentence = (text: (key: string) => string, data: JsonObject) => string;

const SENTENCE_OF: Readonly<Record<string, Sentence>> = {
  'terminal.opened': (_, data) => `opened for ${textOf((data.launch as JsonObject | undefined)?.agent)}`,
  'restart.started': (text) => RESTARTS[text('why')] ?? 'starting an agent',
  'restart.failed': (text) => phrase('the agent could not be started', text('error')),
  'spawn.failed': (text) => phrase('the agent could not be started', text('error')),
  'agent.spawned': () => 'agent started',
  'agent.exited': (_, data) => describeExit(data.exit),
  'agent.cleared': () => 'no process of the old agent is left',
  'agent.ended': (_, data) => (data.forced === true ? 'the old agent was ended by force' : 'the old agent has ended'),
  'agent.worked': () => 'the agent works again',
  'conversation.observed': (text) => `conversation ${text('conversationId')}`,
  'renewal.started': (text) => `renewal started (${text('cause')})`,
  'renewal.abandoned': (text) => phrase('renewal abandoned', text('reason')),
  'handoff.received': (text) => `the agent wrote its part of the handoff: ${text('source')}`,
  'handoff.missed': (text) => phrase('the agent wrote no part of the handoff', text('reason')),
  'document.verified': (text) => `handoff written and verified, ${grouped(text('document').length)} characters`,
  'checkpoint.saved': (text, data) => `files saved on ${text('ref')}${without(data.leftOut)}`,
  'checkpoint.skipped': (text) => phrase('no checkpoint', text('reason')),
  'takeover.confirmed': () => 'the fresh agent has taken over',
  'takeover.missed': (text) => phrase('the fresh agent did not take over', text('reason')),
  'agent.left-alone': (text) => phrase('not renewed: the agent compacts by itself', text('why')),
  'turn.cut-short': (text) => phrase('turn interrupted for a renewal', text('why')),
  'trouble.met': (text) => phrase('problem', text('detail')),
  'progress.made': () => 'a step or task ended, or you gave it something else to do',
  'permission.observed': (text) => `you allowed ${text('tool')} ${text('detail')}`.trim(),
  'terminal.parked': (text) => `waits for ${limitIn(text('why') || 'usage-limit')}`,
  'park.ended': () => 'the wait is over',
  'limit.passed': () => 'the provider answers again',
  'terminal.stopped': () => 'stop requested',
  'dialog.answered': (text) => phrase(`dialog answered with ${text('keys')}`, text('question')),
  'text.intended': (text) => phrase('prompt', text('text')),
  'prompt.intended': (text) => phrase('prompt', text('text')),
  'prompt.repeated': () => 'same prompt sent again',
  'prompt.settled': (text) => `prompt ${text('outcome')}`,
  'context-action.settled': (text) => `/${text('action')}: ${text('outcome')}`,
  'usage.observed': (_, data) =>
    `the context holds ${grouped(numberOf(data.usedTokens))} of ${grouped(numberOf(data.windowTokens))} tokens`,
  'reminder.given': (text) =>
    text('kind') === 'ledger' ? 'reminded of what its compaction may have lost' : 'reminded of the specs',
  'protocol.observed': (text) => PROTOCOL[text('what')] ?? `its answer: ${text('what')}`,
};
const SENTENCES: ReadonlyMap<string, Sentence> = new Map(Object.entries(SENTENCE_OF));

const RESTARTS: Readonly<Record<string, string>> = {
  first: 'starting the agent',
  crash: 'the agent crashed; reopening its conversation',
  again: 'starting the agent again',
  undo: 'back to the conversation before the last renewal',
  tools: 'starting the agent again: it had no workflow tools',
  clear: 'starting an agent with an empty conversation',
};

const PROTOCOL: Readonly<Record<string, string>> = {
  're-injected': 'reminded of the specs',
  resumed: 'a cut-off answer was completed',
  corrected: 'a malformed answer was corrected',
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
