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
import { createPoll } from './create-poll.js';
import { eventStanding } from './event-standing.js';
import type { Said } from './signal-reader.js';
import { addStanding, changedSettings, NO_STANDING, type Standing } from './standing.js';
import type { StandingFact } from './standing-fact.js';
import { createTranscriptTail, type TranscriptKind, type TranscriptTail } from './transcript-tail.js';

/** What is different from agent to agent in watching one. */
export interface AgentEyes {
  /** Where the conversation of the process is now. Rejecting counts as not knowing. */
  locate(known: Located | undefined, standing: Standing): Promise<Located | undefined>;
  readonly transcript: TranscriptKind;
  /** Pure: what a record says that the neutral events leave out. */
  recordStanding(record: JsonObject): readonly StandingFact[];
  windowOf(standing: Standing): { readonly windowTokens: number; readonly source: WindowSource };
  readTitle(title: string): Said;
  readScreen(view: ScreenView): Said;
  readHook(payload: JsonObject): Said | undefined;
}

export interface Located {
  readonly conversationId?: string;
  /** Its transcript, where it has one yet. */
  readonly path?: string;
  /** What the agent's own status file says, where there is one. */
  readonly status?: Said;
  readonly background?: { readonly subAgents: number; readonly shells: number };
  /** Folders whose changes are worth a look at once, and the names in them that matter. */
  readonly listen?: ReadonlyMap<string, (name: string) => boolean>;
  readonly missed?: string;
}

const EVERY_MS = 500;
/** Of one batch of old events only the newest are told: who wants all of a conversation reads its transcript. */
const MOST_EVENTS = 1_000;

/** Follows one agent process by everything it leaves behind. Keeps no process alive. */
export function createAgentWatch(
  eyes: AgentEyes,
  request: WatchRequest,
  { clock, everyMs = EVERY_MS }: { readonly clock: Clock; readonly everyMs?: number | undefined },
): AgentWatch {
  const begun = clock.now();
  const closing = new AbortController();
  const said = new Map<string, string>();
  let located: Located | undefined;
  let tail: TranscriptTail | undefined;
  let standing = NO_STANDING;
  let lastScreen: ScreenView | undefined;

  const emit = (event: AgentEvent) => {
    if (!closing.signal.aborted) request.onEvent(event);
  };
  /** Only what is different from the last time. */
  const emitOnce = (key: string, event: AgentEvent) => {
    const { at: _, ...rest } = event;
    const text = JSON.stringify(rest);
    if (said.get(key) === text) return;
    said.set(key, text);
    emit(event);
  };
  const signal = (source: SignalSource, { says, detail }: Said, at = clock.now()) => {
    if (says === 'unknown' && !said.has(source)) return;
    emitOnce(source, { type: 'signal.seen', source, says, detail, at });
  };
  const when = (at: number | undefined) => ({ at: at ?? clock.now(), isPast: at !== undefined && at < begun });

  const look = async () => {
    const next = await eyes.locate(located, standing).catch(() => undefined);
    if (closing.signal.aborted || next === undefined) return;
    if (next.missed !== undefined)
      emitOnce('missed', { type: 'signal.missed', detail: next.missed, ...when(undefined) });
    follow(next);
    if (next.status !== undefined) signal('status-file', next.status);
    else if (said.has('status-file')) signal('status-file', { says: 'unknown', detail: 'the status file is gone' });
    for (const [folder, isOurs] of next.listen ?? []) poll.listen(folder, isOurs);
    await readOn();
    if (!closing.signal.aborted) tellBackground(next);
  };

  const follow = (next: Located) => {
    const before = located?.conversationId;
    located = next;
    if (next.conversationId !== undefined && next.conversationId !== before) {
      tail = undefined;
      standing = NO_STANDING;
      for (const key of ['usage', 'limit', 'settings']) said.delete(key);
      const { conversationId } = next;
      const earlier = before === undefined ? {} : { before };
      emit({ type: 'conversation.changed', conversationId, ...earlier, ...when(undefined) });
    }
    if (next.path !== undefined && tail?.path !== next.path) {
      tail = createTranscriptTail(next.path, eyes.transcript);
      standing = NO_STANDING;
    }
  };

  const readOn = async () => {
    const { conversationId } = located ?? {};
    if (tail === undefined || conversationId === undefined) return;
    const { path } = tail;
    const before = standing;
    let events: ConversationEvent[] = [];
    const take = (facts: readonly StandingFact[]) => {
      for (const fact of facts) {
        if (fact.type === 'call-answered') tellGrant(fact);
        standing = addStanding(standing, fact);
      }
    };
    await tail
      .read(
        {
          onRecord: (record) => take(eyes.recordStanding(record)),
          onEvents(found) {
            for (const event of found) take(eventStanding(event));
            events.push(...found);
            if (events.length > 2 * MOST_EVENTS) events = events.slice(-MOST_EVENTS);
          },
          onStartOver() {
            standing = NO_STANDING;
            events = [];
          },
        },
        closing.signal,
      )
      .catch((error: unknown) => {
        if (closing.signal.aborted) return;
        emitOnce('unread', { type: 'signal.missed', detail: `${path}: ${String(error)}`, ...when(undefined) });
      });
    if (closing.signal.aborted) return;
    if (events.length > 0) {
      const at = Date.parse(events.at(-1)?.from.at ?? '');
      emit({ type: 'conversation.grew', conversationId, path, events, ...when(Number.isNaN(at) ? undefined : at) });
    }
    tellStanding(before, conversationId);
  };

  const tellStanding = (before: Standing, conversationId: string) => {
    for (const { trigger, tokensBefore, tokensAfter, at } of standing.compactions.slice(before.compactions.length)) {
      const tokens = {
        ...(tokensBefore === undefined ? {} : { tokensBefore }),
        ...(tokensAfter === undefined ? {} : { tokensAfter }),
      };
      emit({ type: 'compaction.seen', conversationId, trigger, ...tokens, ...when(at) });
    }
    tellUsage(conversationId);
    tellLimit(before);
    const settings = changedSettings(standing);
    if (Object.keys(settings).length > 0)
      emitOnce('settings', { type: 'settings.changed', settings, ...when(undefined), isPast: false });
    const { activity } = standing;
    if (activity === undefined || activity === before.activity) return;
    signal('transcript', activity, activity.at);
    if (activity.says === 'idle' && standing.turnsEnded > before.turnsEnded)
      emit({ type: 'turn.ended', conversationId, ...when(activity.at) });
  };

  const tellUsage = (conversationId: string) => {
    if (standing.usage === undefined) return;
    const { usedTokens, at } = standing.usage;
    const { windowTokens, source } = eyes.windowOf(standing);
    const usage = { usedTokens, windowTokens };
    emitOnce('usage', { type: 'usage.measured', conversationId, usage, window: source, ...when(at) });
  };

  const tellLimit = (before: Standing) => {
    if (standing.limit !== undefined && standing.limit !== before.limit) {
      const { limit, detail, at } = standing.limit;
      said.set('limit', detail);
      emit({ type: 'limit.reached', limit, detail, ...when(at) });
    }
    if (standing.limit === undefined && said.delete('limit')) emit({ type: 'limit.passed', ...when(undefined) });
  };

  /** A call that ran while the agent had been waiting for a permission was allowed by hand. */
  let asked = new Map<string, { readonly tool: string; readonly detail: string }>();
  const tellGrant = ({ callId, refused, at }: Extract<StandingFact, { type: 'call-answered' }>) => {
    const call = asked.get(callId);
    if (!asked.delete(callId) || call === undefined || refused) return;
    emit({ type: 'permission.granted', ...call, ...when(at) });
  };
  const noteAsked = (says: string) => {
    if (says === 'waiting') asked = new Map([...asked, ...standing.openCalls]);
  };

  /** Where a status file says it, that counts; else what the transcript lets one conclude. */
  const tellBackground = (next: Located) => {
    noteAsked(next.status?.says ?? '');
    const counted = next.background ?? { subAgents: standing.subAgents, shells: standing.shells.size };
    if (counted.subAgents + counted.shells === 0 && !said.has('background')) return;
    emitOnce('background', { type: 'background.counted', ...counted, at: clock.now() });
  };

  const poll = createPoll({ everyMs, task: look });
  const close = () => {
    if (closing.signal.aborted) return;
    closing.abort();
    poll.close();
    request.signal?.removeEventListener('abort', close);
  };
  if (request.signal?.aborted) close();
  else request.signal?.addEventListener('abort', close, { once: true });

  return {
    seeScreen(view) {
      if (closing.signal.aborted) return;
      if (view.title !== lastScreen?.title) signal('title', eyes.readTitle(view.title));
      lastScreen = view;
      const read = eyes.readScreen(view);
      noteAsked(read.says);
      signal('screen', read);
    },
    seeHook(payload) {
      if (closing.signal.aborted) return;
      const read = eyes.readHook(payload);
      if (read !== undefined) signal('hook', read);
    },
    look: () => poll.run(),
    close,
  };
}
