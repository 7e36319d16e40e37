import type {
  AgentEvent,
  AgentWatch,
  Clock,
  ConversationEvent,
  JsonObject,
  ScreenView,
  WatchRequest,
  WindowSource,
} from '@devs/core';
import { createPoll, type Poll } from './create-poll.js';
import { type FileReaders, FollowedFiles } from './followed-files.js';
import type { Said } from './signal-reader.js';
import { addStanding, inAnotherConversation, NO_STANDING, type Standing } from './standing.js';
import { standingEvents } from './standing-events.js';
import type { StatusFact } from './standing-fact.js';
import { WatchReport } from './watch-report.js';

/** The agent-specific part of watching. */
export interface AgentProbe extends FileReaders {
  /** Where the conversation of the process is now. Rejecting counts as not knowing. */
  locate(known: Located | undefined, standing: Standing): Promise<Located | undefined>;
  windowOf(standing: Standing): { readonly windowTokens: number; readonly source: WindowSource };
  readTitle(title: string): Said;
  readScreen(view: ScreenView): Said;
  readHook(payload: JsonObject): Said | undefined;
  /** Has `look` called whenever the agent itself says that something changed. Returns what ends that. */
  subscribe?(look: () => void): () => void;
}

export interface Located {
  readonly conversationId?: string;
  /** Its transcript, where it has one yet. */
  readonly path?: string;
  /** See `FileReaders.beside`. */
  readonly beside?: string;
  /** The agent's own status file, if there is one. */
  readonly status?: Said;
  readonly background?: { readonly subAgents: number; readonly shells: number };
  /** Folders whose changes are worth a look at once, and the names in them that matter. */
  readonly listen?: ReadonlyMap<string, (name: string) => boolean>;
  readonly missed?: string;
  /** What the agent said since the last time, beside its transcript. */
  readonly facts?: readonly StatusFact[];
}

const EVERY_MS = 500;

/** Follows one agent process by everything it leaves behind. Keeps no process alive. */
export function createAgentWatch(
  probe: AgentProbe,
  request: WatchRequest,
  { clock, everyMs = EVERY_MS }: { readonly clock: Clock; readonly everyMs?: number | undefined },
): AgentWatch {
  const closing = new AbortController();
  const report = new WatchReport(request.onEvent, clock, closing.signal);
  const followed = new FollowedConversation(probe, request, report, closing.signal);
  let title: string | undefined;

  const poll = createPoll({ everyMs, task: () => followed.look(poll) });
  const unsubscribe = probe.subscribe?.(() => void poll.run());
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
      if (view.title !== title) report.signal('title', probe.readTitle(view.title));
      title = view.title;
      report.signal('screen', probe.readScreen(view));
    },
    seeHook(payload) {
      const read = probe.readHook(payload);
      if (read !== undefined) report.signal('hook', read);
    },
    look: () => poll.run(),
    close,
  };
}

/** The conversation that the process has open, and its status as far as it was read. */
class FollowedConversation {
  #located: Located | undefined;
  #standing = NO_STANDING;
  readonly #files: FollowedFiles;

  constructor(
    private readonly probe: AgentProbe,
    private readonly request: WatchRequest,
    private readonly report: WatchReport,
    private readonly closed: AbortSignal,
  ) {
    const listener = {
      onFacts: (facts: readonly StatusFact[]) => this.#take(facts),
      onStartOver: () => {
        this.#standing = inAnotherConversation(this.#standing);
      },
      onUnreadable: (path: string, error: unknown) => report.missed('unread', `${path}: ${String(error)}`),
    };
    this.#files = new FollowedFiles(probe, listener, closed);
  }

  async look(poll: Pick<Poll, 'listen'>): Promise<void> {
    const next = await this.probe.locate(this.#located, this.#standing).catch(() => undefined);
    if (this.closed.aborted || next === undefined) return;
    this.#follow(next);
    if (next.missed !== undefined) this.report.missed('missed', next.missed);
    this.report.signal('status-file', next.status ?? { says: 'unknown', detail: 'there is no status file' });
    // Before the reading: what is written meanwhile is worth another look.
    for (const [folder, isOurs] of next.listen ?? []) poll.listen(folder, isOurs);
    await this.#readOn(next.facts ?? []);
    // A status file wins over conclusions from the transcript.
    const { subAgents, shells } = this.#standing;
    this.report.background(next.background ?? { subAgents, shells: shells.size });
  }

  #follow(next: Located): void {
    const isFirst = this.#located?.conversationId === undefined;
    const before = this.#located?.conversationId ?? this.request.conversationId;
    const { conversationId } = next;
    this.#located = next;
    if (conversationId !== undefined && (isFirst || conversationId !== before)) {
      this.#files.leaveTranscript();
      this.#standing = inAnotherConversation(this.#standing);
      const earlier = before === undefined || before === conversationId ? {} : { before };
      this.report.tell({ type: 'conversation.changed', conversationId, ...earlier, ...this.report.stamp() });
    }
    this.#files.follow(next);
  }

  async #readOn(facts: readonly StatusFact[]): Promise<void> {
    const { report } = this;
    const before = this.#standing;
    this.#take(facts);
    const conversationId = this.#located?.conversationId;
    if (conversationId === undefined || this.#files.areNone) return;
    // Read first and counted last: what the transcript holds was written before the turn ended.
    const besides = await this.#files.readBeside();
    const events = await this.#files.readTranscript();
    const newest = events.at(-1);
    const path = this.#files.transcript;
    if (path !== undefined && newest !== undefined) {
      report.tell({ type: 'conversation.grew', conversationId, path, events, ...report.stamp(timeIn(newest)) });
    }
    this.#take(besides);
    const told = { conversationId, window: this.probe.windowOf(this.#standing), ...report.times };
    for (const event of standingEvents(before, this.#standing, told)) report.tell(event);
  }

  #take(facts: readonly StatusFact[]): void {
    const { report } = this;
    for (const fact of facts) {
      if (fact.type === 'call-answered' && !fact.refused) {
        const call = this.#standing.openCalls.get(fact.callId);
        if (call !== undefined) report.grant(call, fact.at);
      }
      if (fact.type === 'protocol') report.tell({ ...fact, type: 'protocol.observed', ...report.stamp(fact.at) });
      const event = channelEvent(fact, report.stamp(fact.at));
      if (event !== undefined) report.tell(event);
      this.#standing = addStanding(this.#standing, fact);
    }
  }
}

const timeIn = ({ from }: ConversationEvent): number | undefined => {
  const at = Date.parse(from.at ?? '');
  return Number.isNaN(at) ? undefined : at;
};

type Stamp = { readonly at: number; readonly isPast: boolean };

/** What an agent wrote down about words that reached it, permissions, interrupts and errors, as an event. Pure. */
function channelEvent(fact: StatusFact, stamp: Stamp): AgentEvent | undefined {
  switch (fact.type) {
    case 'prompt-accepted':
      return { ...fact, type: 'prompt.accepted', ...stamp };
    case 'permission-asked':
      return { ...fact, type: 'permission.asked', ...stamp };
    case 'permission-settled':
      return { ...fact, type: 'permission.settled', ...stamp };
    case 'interrupted':
      return { type: 'turn.interrupted', ...stamp };
    case 'cost':
      return { ...fact, type: 'cost.stated', ...stamp };
    case 'error':
      return { ...fact, type: 'error.reported', ...stamp };
    default:
      return undefined;
  }
}
