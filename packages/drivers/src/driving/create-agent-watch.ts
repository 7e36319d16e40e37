import type {
  AgentEvent,
  AgentWatch,
  Clock,
  ConversationEvent,
  JsonObject,
  ScreenView,
  SignalSource,
  WatchRequest,
  WindowSource,
} from '@devs/core';
import { channelEvent } from './channel-event.js';
import { createPoll } from './create-poll.js';
import { eventStanding } from './event-standing.js';
import type { Said } from './signal-reader.js';
import { addStanding, inAnotherConversation, NO_STANDING, type Standing } from './standing.js';
import { stamp, standingEvents } from './standing-events.js';
import type { StandingFact } from './standing-fact.js';
import { createTranscriptTail, type TranscriptKind, type TranscriptTail } from './transcript-tail.js';

/** The agent-specific part of watching. */
export interface AgentEyes {
  /** Where the conversation of the process is now. Rejecting counts as not knowing. */
  locate(known: Located | undefined, standing: Standing): Promise<Located | undefined>;
  readonly transcript: TranscriptKind | OwnTranscript;
  /** Pure: facts in a record that the neutral events leave out. */
  recordStanding(record: JsonObject): readonly StandingFact[];
  /** Of a file that a program of devs writes beside the transcript: it tells of turns, and the transcript of the rest. */
  readonly beside?: {
    readonly kind: TranscriptKind;
    recordStanding(record: JsonObject): readonly StandingFact[];
  };
  windowOf(standing: Standing): { readonly windowTokens: number; readonly source: WindowSource };
  readTitle(title: string): Said;
  readScreen(view: ScreenView): Said;
  readHook(payload: JsonObject): Said | undefined;
  /** Has `look` called whenever the agent itself says that something changed. Returns what ends that. */
  subscribe?(look: () => void): () => void;
}

/** Where a transcript is no file of lines. */
interface OwnTranscript {
  openTail(path: string): TranscriptTail;
}

export interface Located {
  readonly conversationId?: string;
  /** Its transcript, where it has one yet. */
  readonly path?: string;
  /** See `AgentEyes.beside`. */
  readonly beside?: string;
  /** The agent's own status file, if there is one. */
  readonly status?: Said;
  readonly background?: { readonly subAgents: number; readonly shells: number };
  /** Folders whose changes are worth a look at once, and the names in them that matter. */
  readonly listen?: ReadonlyMap<string, (name: string) => boolean>;
  readonly missed?: string;
  /** What the agent said since the last time, beside its transcript. */
  readonly facts?: readonly StandingFact[];
}

const EVERY_MS = 500;
/** Only the newest of a batch of old events are reported: a full conversation is in its transcript. */
const MOST_EVENTS = 1_000;

const OF_TURNS: ReadonlySet<StandingFact['type']> = new Set(['turn-began', 'turn-ended', 'interrupted']);

const timeIn = ({ from }: ConversationEvent): number | undefined => {
  const at = Date.parse(from.at ?? '');
  return Number.isNaN(at) ? undefined : at;
};

/** Follows one agent process by everything it leaves behind. Keeps no process alive. */
export function createAgentWatch(
  eyes: AgentEyes,
  request: WatchRequest,
  { clock, everyMs = EVERY_MS }: { readonly clock: Clock; readonly everyMs?: number | undefined },
): AgentWatch {
  const begunAt = clock.now();
  const closing = new AbortController();
  const said = new Map<string, string>();
  let located: Located | undefined;
  let tail: TranscriptTail | undefined;
  let besideTail: TranscriptTail | undefined;
  let standing = NO_STANDING;
  let title: string | undefined;
  let lastWaited = Number.NEGATIVE_INFINITY;

  const when = (at?: number) => stamp(at, { begunAt, now: clock.now() });
  const emit = (event: AgentEvent) => {
    if (!closing.signal.aborted) request.onEvent(event);
  };
  /** Only differences from the last report. */
  const emitOnce = (key: string, event: AgentEvent) => {
    const { at: _, ...rest } = event;
    const text = JSON.stringify(rest);
    if (said.get(key) === text) return;
    said.set(key, text);
    emit(event);
  };
  const signal = (source: SignalSource, { says, detail }: Said) => {
    if (says === 'waiting') lastWaited = clock.now();
    if (says === 'unknown' && !said.has(source)) return;
    emitOnce(source, { type: 'signal.seen', source, says, detail, at: clock.now() });
  };

  const look = async () => {
    const next = await eyes.locate(located, standing).catch(() => undefined);
    if (closing.signal.aborted || next === undefined) return;
    follow(next);
    if (next.missed !== undefined) emitOnce('missed', { type: 'signal.missed', detail: next.missed, ...when() });
    signal('status-file', next.status ?? { says: 'unknown', detail: 'there is no status file' });
    for (const [folder, isOurs] of next.listen ?? []) poll.listen(folder, isOurs);
    await readOn(next.facts ?? []);
    tellBackground(next);
  };

  const follow = (next: Located) => {
    const isFirst = located?.conversationId === undefined;
    const before = located?.conversationId ?? request.conversationId;
    const { conversationId, path } = next;
    located = next;
    if (conversationId !== undefined && (isFirst || conversationId !== before)) {
      tail = undefined;
      standing = inAnotherConversation(standing);
      const earlier = before === undefined || before === conversationId ? {} : { before };
      emit({ type: 'conversation.changed', conversationId, ...earlier, ...when() });
    }
    if (path !== undefined && tail?.path !== path) tail = openTail(path, eyes.transcript);
    const { beside } = next;
    if (eyes.beside !== undefined && beside !== undefined && besideTail?.path !== beside)
      besideTail = createTranscriptTail(beside, eyes.beside.kind);
  };

  const readOn = async (facts: readonly StandingFact[]) => {
    const { conversationId } = located ?? {};
    const before = standing;
    take(facts);
    if (conversationId === undefined || (tail === undefined && besideTail === undefined)) return;
    // Read first and counted last: what the transcript holds was written before the turn ended.
    const besides = besideTail === undefined ? [] : await orNothing(besideTail, factsBeside(besideTail));
    const events = tail === undefined ? [] : await orNothing(tail, readTail(tail));
    const newest = events.at(-1);
    if (tail !== undefined && newest !== undefined) {
      const at = when(timeIn(newest));
      emit({ type: 'conversation.grew', conversationId, path: tail.path, events, ...at });
    }
    take(besides);
    const told = { conversationId, window: eyes.windowOf(standing), begunAt, now: clock.now() };
    for (const event of standingEvents(before, standing, told)) emit(event);
  };

  const orNothing = <Read>({ path }: TranscriptTail, reading: Promise<readonly Read[]>): Promise<readonly Read[]> =>
    reading.catch((error: unknown) => {
      emitOnce('unread', { type: 'signal.missed', detail: `${path}: ${String(error)}`, ...when() });
      return [];
    });

  const take = (facts: readonly StandingFact[]) => {
    for (const fact of facts) {
      if (fact.type === 'call-answered') tellGrant(fact);
      if (fact.type === 'protocol') emit({ ...fact, type: 'protocol.observed', ...when(fact.at) });
      const event = channelEvent(fact, when(fact.at));
      if (event !== undefined) emit(event);
      standing = addStanding(standing, fact);
    }
  };
  const takeTranscript = (facts: readonly StandingFact[]) =>
    take(besideTail === undefined ? facts : facts.filter(({ type }) => !OF_TURNS.has(type)));

  const factsBeside = async (following: TranscriptTail): Promise<readonly StandingFact[]> => {
    let facts: StandingFact[] = [];
    const listener = {
      onRecord: (record: JsonObject) => void facts.push(...(eyes.beside?.recordStanding(record) ?? [])),
      onEvents: (found: readonly ConversationEvent[]) => void facts.push(...found.flatMap(eventStanding)),
      onStartOver() {
        facts = [];
      },
    };
    await following.read(listener, closing.signal);
    return facts;
  };

  const readTail = async (following: TranscriptTail): Promise<readonly ConversationEvent[]> => {
    let events: ConversationEvent[] = [];
    const listener = {
      onRecord: (record: JsonObject) => takeTranscript(eyes.recordStanding(record)),
      onEvents(found: readonly ConversationEvent[]) {
        for (const event of found) takeTranscript(eventStanding(event));
        events.push(...found);
        if (events.length > 2 * MOST_EVENTS) events = events.slice(-MOST_EVENTS);
      },
      onStartOver() {
        standing = inAnotherConversation(standing);
        events = [];
      },
    };
    await following.read(listener, closing.signal);
    return events.slice(-MOST_EVENTS);
  };

  /** A call that ran after the agent had waited for the user was allowed by hand. */
  const tellGrant = ({ callId, refused, at }: Extract<StandingFact, { type: 'call-answered' }>) => {
    const call = standing.openCalls.get(callId);
    if (refused || call?.at === undefined || lastWaited < call.at) return;
    emit({ type: 'permission.granted', tool: call.tool, detail: call.detail, ...when(at) });
  };

  /** A status file wins over conclusions from the transcript. */
  const tellBackground = ({ background }: Located) => {
    const counted = background ?? { subAgents: standing.subAgents, shells: standing.shells.size };
    if (counted.subAgents + counted.shells === 0 && !said.has('background')) return;
    emitOnce('background', { type: 'background.counted', ...counted, at: clock.now() });
  };

  const poll = createPoll({ everyMs, task: look });
  const unsubscribe = eyes.subscribe?.(() => void poll.run());
  const close = () => {
    closing.abort();
    poll.close();
    unsubscribe?.();
    request.signal?.removeEventListener('abort', close);
  };
  if (request.signal?.aborted) close();
  else request.signal?.addEventListener('abort', close, { once: true });

  return {
    seeScreen(view) {
      if (closing.signal.aborted) return;
      if (view.title !== title) signal('title', eyes.readTitle(view.title));
      title = view.title;
      signal('screen', eyes.readScreen(view));
    },
    seeHook(payload) {
      const read = eyes.readHook(payload);
      if (read !== undefined) signal('hook', read);
    },
    look: () => poll.run(),
    close,
  };
}

const openTail = (path: string, transcript: TranscriptKind | OwnTranscript): TranscriptTail =>
  'openTail' in transcript ? transcript.openTail(path) : createTranscriptTail(path, transcript);
