import type { StoredEvent } from '../ports/event-log.js';
import type { JsonObject, JsonValue } from '../ports/json.js';
import { grouped, numberOf, phrase, textOf } from './event-words.js';

/** What happened in a terminal; `undefined` for events of other kinds. */
export function describeTerminalEvent({ type, data }: Pick<StoredEvent, 'type' | 'data'>): string | undefined {
  const text = (key: string) => textOf(data[key]);
  switch (type) {
    case 'terminal.opened':
      return `opened for ${textOf((data.launch as JsonObject | undefined)?.agent)}`;
    case 'restart.started':
      return RESTARTS[text('why')] ?? 'an agent is started';
    case 'restart.failed':
    case 'spawn.failed':
      return phrase('the agent could not be started', text('error'));
    case 'agent.spawned':
      return 'the agent runs';
    case 'agent.exited':
      return describeExit(data.exit);
    case 'agent.cleared':
      return 'everything of the old agent is gone';
    case 'agent.ended':
      return data.forced === true ? 'the old agent was ended by force' : 'the old agent has ended';
    case 'agent.worked':
      return 'the agent has worked again';
    case 'conversation.observed':
      return `in the conversation ${text('conversationId')}`;
    case 'renewal.started':
      return `a renewal begins (${text('cause')})`;
    case 'renewal.abandoned':
      return phrase('the renewal was called off', text('reason'));
    case 'handoff.received':
      return `its own words came by ${text('source')}`;
    case 'handoff.missed':
      return phrase('no words of its own', text('reason'));
    case 'document.verified':
      return `the handoff is written and verified, ${grouped(text('document').length)} characters`;
    case 'checkpoint.saved':
      return `the files are kept on ${text('ref')}${without(data.leftOut)}`;
    case 'checkpoint.skipped':
      return phrase('no checkpoint', text('reason'));
    case 'takeover.confirmed':
      return 'the new agent has taken up the work';
    case 'takeover.missed':
      return phrase('the new agent did not take up the work', text('reason'));
    case 'agent.left-alone':
      return phrase('not renewed, and left to its own compaction', text('why'));
    case 'trouble.met':
      return phrase('trouble', text('detail'));
    case 'progress.made':
      return 'a step or task ended, or you gave it something else to do';
    case 'permission.observed':
      return `you allowed ${text('tool')} ${text('detail')}`.trim();
    case 'terminal.parked':
      return phrase('parked', text('why'));
    case 'park.ended':
      return 'the waiting is over';
    case 'limit.passed':
      return 'the provider answers again';
    case 'terminal.stopped':
      return 'to be stopped';
    case 'dialog.answered':
      return phrase(`answered with ${text('keys')}`, text('question'));
    case 'text.intended':
    case 'prompt.intended':
      return phrase('told', text('text'));
    case 'prompt.repeated':
      return 'the same prompt is tried again';
    case 'prompt.settled':
      return `that was ${text('outcome')}`;
    case 'context-action.settled':
      return `/${text('action')}: ${text('outcome')}`;
    case 'usage.observed':
      return `the context holds ${grouped(numberOf(data.usedTokens))} of ${grouped(numberOf(data.windowTokens))} tokens`;
    case 'reminder.given':
      return text('kind') === 'ledger'
        ? 'it was given what its compaction may have lost'
        : 'it was reminded of the specs';
    case 'protocol.observed':
      return PROTOCOL[text('what')] ?? `its answer: ${text('what')}`;
    default:
      return undefined;
  }
}

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
