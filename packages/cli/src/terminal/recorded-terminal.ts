import type { EventLog, StoredEvent } from '@devs/core';

/** What the records say of a terminal, as far as its user needs it. */
export interface RecordedTerminal {
  readonly userArgs: readonly string[];
  /** Its arguments held a secret and were not stored whole. */
  readonly isHidden: boolean;
  readonly conversationId?: string;
  readonly escalation?: string;
  readonly parkedUntil?: number;
  readonly parkedWhy?: string;
  readonly exit?: { readonly kind: string; readonly exitCode?: number; readonly at: number };
  readonly isStopped: boolean;
  /** An agent was started in it at least once. */
  readonly hasRun: boolean;
}

const PAGE = 500;

export async function readRecordedTerminal(
  log: Pick<EventLog, 'read'>,
  stream: string,
): Promise<RecordedTerminal | undefined> {
  let known: RecordedTerminal | undefined;
  for (let after = 0; ; ) {
    const events = await log.read({ stream, after, limit: PAGE });
    for (const event of events) known = addEvent(known ?? NOTHING, event);
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) return known;
    after = last.position;
  }
}

const NOTHING: RecordedTerminal = { userArgs: [], isHidden: false, isStopped: false, hasRun: false };

/** Pure. The events are the supervisor's; those that say nothing about this are passed over. */
function addEvent(known: RecordedTerminal, { type, data, at }: StoredEvent): RecordedTerminal {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : undefined);
  switch (type) {
    case 'terminal.opened': {
      const launch = objectIn(data.launch);
      const userArgs = Array.isArray(launch.userArgs) ? launch.userArgs.map(String) : [];
      return { ...known, userArgs, isHidden: launch.hidden === true, isStopped: false };
    }
    case 'agent.spawned': {
      const { exit: _, conversationId: __, ...rest } = known;
      const conversationId = text('conversationId');
      return { ...rest, isStopped: false, hasRun: true, ...(conversationId === undefined ? {} : { conversationId }) };
    }
    case 'conversation.observed':
      return { ...known, conversationId: text('conversationId') ?? '' };
    case 'agent.exited': {
      const { kind, exitCode } = objectIn(data.exit);
      const code = typeof exitCode === 'number' ? { exitCode } : {};
      return { ...known, exit: { kind: String(kind), ...code, at } };
    }
    case 'escalation.raised':
      return { ...known, escalation: text('why') ?? '' };
    case 'terminal.parked':
      return { ...known, parkedUntil: Number(data.until), parkedWhy: text('why') ?? '' };
    case 'terminal.stopped':
      return { ...settled(known), isStopped: true };
    case 'restart.started':
      return settled(known);
    case 'escalation.settled': {
      const { escalation: _, ...rest } = known;
      return rest;
    }
    case 'park.ended':
    case 'limit.passed': {
      const { parkedUntil: _, parkedWhy: __, ...rest } = known;
      return rest;
    }
    default:
      return known;
  }
}

function settled({ escalation: _, parkedUntil: __, parkedWhy: ___, ...rest }: RecordedTerminal): RecordedTerminal {
  return rest;
}

const objectIn = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
