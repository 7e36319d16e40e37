import {
  type AgentChannel,
  type AgentDriver,
  type AgentEvent,
  type AgentWatch,
  type ChannelRequest,
  type Clock,
  capturedOutput,
  type LaunchSite,
  type ScreenView,
  type WatchRequest,
} from '@devs/core';
import {
  type HostedTerminal,
  openScreen,
  type TerminalHost,
  TerminalHostUnavailableError,
  type WriteOutcome,
} from '@devs/terminals';
import { type ObservedAgent, type OutsideEvent, observeAgent, unobserved } from './observed-agent.js';

export interface FollowRequest {
  readonly host: TerminalHost;
  /** As the host lists it: running or exited. */
  readonly hosted: HostedTerminal;
  readonly agentId: string;
  readonly driver: AgentDriver;
  readonly place: LaunchSite;
  readonly args: readonly string[];
  /** Where the files of its launch are. */
  readonly privateFolder: string;
  readonly conversationId?: string;
  readonly windowTokens?: number;
  readonly answersQueries: boolean;
  readonly clock: Clock;
  /** After each event that was taken in. Must not throw. */
  onEvent(event: AgentEvent): void;
}

/** One agent process, seen by everything that it shows and leaves behind. */
export interface FollowedAgent {
  readonly agentId: string;
  readonly hosted: HostedTerminal;
  readonly seen: ObservedAgent;
  /** What the screen shows, or `exited`. */
  view(): ScreenView | 'exited';
  /** The last `OUTPUT_BUFFER_SIZE` characters of what it printed, also after its end. */
  screenText(): string;
  columns(): number;
  write(data: string): Promise<WriteOutcome>;
  /** Where it can be talked to without typing. */
  readonly channel: AgentChannel | undefined;
  /** The last texts that devs typed into it. */
  readonly typed: readonly string[];
  noteTyped(text: string): void;
  /** What comes after this moment; for `since`. */
  mark(): number;
  since(mark: number): readonly AgentEvent[];
  note(event: OutsideEvent): void;
  /** Looks now. Resolves when all current events are reported. */
  look(): Promise<void>;
  answerQueries(answers: boolean): void;
  close(): Promise<void>;
}

/** Stands for the exit code of an agent whose host died. */
export const LOST = -1;

/** Limit of events kept for later questions. Events of a conversation can be large. */
const MAX_EVENTS = 400;
const MAX_TYPED = 3;

export async function followAgent(request: FollowRequest): Promise<FollowedAgent> {
  const memory = new AgentMemory(request.hosted.spawnedAt);
  const onEvent = (event: AgentEvent) => {
    memory.take(event);
    request.onEvent(event);
  };
  let watch: AgentWatch | undefined;
  const life = new ProcessLife(request, { lastLook: async () => watch?.look(), onEvent });
  const opened = await openScreen({
    host: request.host,
    terminalId: request.hosted.terminalId,
    answersQueries: request.answersQueries,
    onChange: oncePerTick(() => life.isOver || watch?.seeScreen(screen.view())),
    onExit: (ended) => void life.end(ended),
  });
  const { screen } = opened;
  watch = watchOf(request, onEvent);
  const channel = channelOf(request, { write: life.write, onEvent });
  if (request.hosted.exit === undefined) watch.seeScreen(screen.view());
  else await life.end(request.hosted);

  return {
    agentId: request.agentId,
    get hosted() {
      return life.hosted;
    },
    get seen() {
      return memory.seen;
    },
    get typed() {
      return memory.typed;
    },
    get channel() {
      return channel?.isUsed?.() === false ? undefined : channel;
    },
    view: () => (life.isOver ? 'exited' : screen.view()),
    screenText: () => capturedOutput(screen.text()),
    columns: () => screen.view().columns,
    write: life.write,
    noteTyped: (text) => memory.noteTyped(text),
    mark: () => memory.mark(),
    since: (mark) => memory.since(mark),
    note: (event) => memory.note(event),
    look: async () => watch.look(),
    answerQueries: (answers) => opened.answerQueries(answers),
    async close() {
      life.close();
      watch.close();
      channel?.close?.();
      await opened.close();
    },
  };
}

/** What was seen of an agent and typed into it; its last events are kept for later questions. */
class AgentMemory {
  seen: ObservedAgent;
  typed: readonly string[] = [];
  private events: AgentEvent[] = [];
  private dropped = 0;

  constructor(spawnedAt: number) {
    this.seen = unobserved(spawnedAt);
  }

  take(event: AgentEvent): void {
    this.note(event);
    this.events.push(event);
    if (this.events.length <= 2 * MAX_EVENTS) return;
    this.dropped += this.events.length - MAX_EVENTS;
    this.events = this.events.slice(-MAX_EVENTS);
  }

  note(event: AgentEvent | OutsideEvent): void {
    this.seen = observeAgent(this.seen, event);
  }

  noteTyped(text: string): void {
    this.typed = [...this.typed, text].slice(-MAX_TYPED);
  }

  mark = (): number => this.dropped + this.events.length;
  since = (mark: number): readonly AgentEvent[] => this.events.slice(Math.max(0, mark - this.dropped));
}

/** The process as its host has it. Its end is reported once, after a last look at what it wrote. */
class ProcessLife {
  hosted: HostedTerminal;
  /** Stops listening to the host. */
  readonly close: () => void;

  constructor(
    private readonly request: FollowRequest,
    private readonly on: { lastLook(): Promise<void>; onEvent(event: AgentEvent): void },
  ) {
    this.hosted = { ...request.hosted, exit: undefined };
    this.close = request.host.onLost(() => this.lose());
  }

  get isOver(): boolean {
    return this.hosted.exit !== undefined;
  }

  write = (data: string): Promise<WriteOutcome> => this.request.host.write(this.hosted, data).catch(asExited);

  async end(ended: HostedTerminal): Promise<void> {
    if (ended.exit === undefined || this.isOver) return;
    this.hosted = ended;
    await this.on.lastLook().catch(() => {});
    this.report(ended.exit);
  }

  /** A terminal does not outlive its host, nor does anybody see how it ended. */
  private lose(): void {
    if (this.isOver) return;
    const exit = { exitCode: LOST, at: this.request.clock.now(), tail: 'uncertain' } as const;
    this.hosted = { ...this.hosted, exit };
    this.report(exit);
  }

  private report({ exitCode, signal, at }: NonNullable<HostedTerminal['exit']>): void {
    this.on.onEvent({ type: 'terminal.exited', at, exitCode, ...(signal === undefined ? {} : { signal }) });
  }
}

const watchOf = ({ driver, ...request }: FollowRequest, onEvent: WatchRequest['onEvent']): AgentWatch =>
  driver.watch({
    ...request.place,
    pid: request.hosted.pid,
    program: request.hosted.file,
    startedAt: request.hosted.spawnedAt,
    args: request.args,
    privateFolder: request.privateFolder,
    ...(request.conversationId === undefined ? {} : { conversationId: request.conversationId }),
    ...(request.windowTokens === undefined ? {} : { windowTokens: request.windowTokens }),
    onEvent,
  });

const channelOf = (
  { driver, place, hosted, privateFolder }: FollowRequest,
  ends: Pick<ChannelRequest, 'write' | 'onEvent'>,
): AgentChannel | undefined =>
  driver.channel?.({ ...place, pid: hosted.pid, program: hosted.file, privateFolder, ...ends });

/** A screen that changes a thousand times in a second is looked at once. */
function oncePerTick(work: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      work();
    });
  };
}

/** Without its host, no process reads any more. */
function asExited(error: unknown): WriteOutcome {
  if (error instanceof TerminalHostUnavailableError) return 'exited';
  throw error;
}
