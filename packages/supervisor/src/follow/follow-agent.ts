import {
  type AgentChannel,
  type AgentDriver,
  type AgentEvent,
  type AgentPlace,
  type AgentWatch,
  type Clock,
  capturedOutput,
  type JsonObject,
  type ScreenView,
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
  readonly place: AgentPlace;
  readonly args: readonly string[];
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
  seeHook(payload: JsonObject): void;
  /** Looks now. Resolves when all current events are reported. */
  look(): Promise<void>;
  answerQueries(answers: boolean): void;
  close(): Promise<void>;
}

/** Stands for the exit code of an agent whose host died. */
export const LOST = -1;

/** Limit of events kept for later questions. Events of a conversation can be large. */
const MOST_EVENTS = 400;
const MOST_TYPED = 3;

export async function followAgent(request: FollowRequest): Promise<FollowedAgent> {
  const { host, driver, place, agentId, args } = request;
  let { hosted } = request;
  let seen = unobserved(hosted.spawnedAt);
  let events: AgentEvent[] = [];
  let dropped = 0;
  let watch: AgentWatch | undefined;
  let isDrawing = false;
  let typed: readonly string[] = [];

  const take = (event: AgentEvent) => {
    seen = observeAgent(seen, event);
    events.push(event);
    if (events.length > 2 * MOST_EVENTS) {
      dropped += events.length - MOST_EVENTS;
      events = events.slice(-MOST_EVENTS);
    }
    request.onEvent(event);
  };
  const exit = async (ended: HostedTerminal) => {
    if (ended.exit === undefined || hosted.exit !== undefined) return;
    hosted = ended;
    await watch?.look().catch(() => {}); // what it wrote last
    const { exitCode, signal, at } = ended.exit;
    take({ type: 'terminal.exited', at, exitCode, ...(signal === undefined ? {} : { signal }) });
  };
  /** A screen that changes a thousand times in a second is looked at once. */
  const drawn = () => {
    if (isDrawing) return;
    isDrawing = true;
    setImmediate(() => {
      isDrawing = false;
      if (hosted.exit === undefined) watch?.seeScreen(opened.screen.view());
    });
  };

  /** A terminal does not outlive its host, nor does anybody see how it ended. */
  const forget = host.onLost(() => {
    if (hosted.exit !== undefined) return;
    const at = request.clock.now();
    hosted = { ...hosted, exit: { exitCode: LOST, at, tail: 'uncertain' } };
    take({ type: 'terminal.exited', at, exitCode: LOST });
  });
  const wasExited = hosted.exit === undefined ? undefined : hosted;
  hosted = { ...hosted, exit: undefined };
  const opened = await openScreen({
    host,
    terminalId: hosted.terminalId,
    answersQueries: request.answersQueries,
    onChange: () => drawn(),
    onExit: (ended) => void exit(ended),
  });
  const { conversationId, windowTokens } = request;
  watch = driver.watch({
    ...place,
    pid: hosted.pid,
    startedAt: hosted.spawnedAt,
    args,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(windowTokens === undefined ? {} : { windowTokens }),
    onEvent: take,
  });
  const write = (data: string) => host.write(hosted, data).catch(asExited);
  const channel = driver.channel?.({ ...place, pid: hosted.pid, write });
  if (wasExited === undefined) watch.seeScreen(opened.screen.view());
  else await exit(wasExited);

  return {
    agentId,
    get hosted() {
      return hosted;
    },
    get seen() {
      return seen;
    },
    view: () => (hosted.exit === undefined ? opened.screen.view() : 'exited'),
    screenText: () => capturedOutput(opened.screen.text()),
    columns: () => opened.screen.view().columns,
    write,
    channel,
    get typed() {
      return typed;
    },
    noteTyped(text) {
      typed = [...typed, text].slice(-MOST_TYPED);
    },
    mark: () => dropped + events.length,
    since: (mark) => events.slice(Math.max(0, mark - dropped)),
    note(event) {
      seen = observeAgent(seen, event);
    },
    seeHook: (payload) => watch?.seeHook(payload),
    look: async () => watch?.look(),
    answerQueries: (answers) => opened.answerQueries(answers),
    async close() {
      forget();
      watch?.close();
      await opened.close();
    },
  };
}

/** Without its host, no process reads any more. */
function asExited(error: unknown): WriteOutcome {
  if (error instanceof TerminalHostUnavailableError) return 'exited';
  throw error;
}
