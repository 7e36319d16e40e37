import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { ApiError } from '@devs/api';
import type { Clock } from '@devs/core';
import { createCapabilities } from './admission/create-capabilities.js';
import { type Admission, createLoopbackDoor, createSocketDoor } from './admission/create-door.js';
import { keepTokens } from './admission/keep-tokens.js';
import { type Action, type AppDeps, createApp, type PageFile } from './http/create-app.js';
import { createHttpServer } from './listen/create-http-server.js';
import { createPageServer } from './listen/create-page-server.js';
import { PAGE_HEADERS } from './listen/guard-loopback.js';
import { LIMITS, type Limits } from './listen/limits.js';
import type { LoopbackPlace } from './listen/listen-loopback.js';
import { listenSocket } from './listen/listen-socket.js';
import { createLiveRoom } from './live/create-live-room.js';
import { createConversationHandlers } from './records/conversation-handlers.js';
import { createLogHandlers } from './records/log-handlers.js';
import { createOpenStores, type OpenStores } from './records/open-stores.js';
import { createQuestionHandlers } from './records/question-handlers.js';
import { createRunHandlers } from './records/run-handlers.js';
import type {
  DiffRun,
  FileHandlers,
  Handlers,
  ProjectsPort,
  ReadConversation,
  ServedSupervisor,
} from './served-supervisor.js';
import { lookAtTerminals } from './terminals/look-at-terminals.js';
import { createTerminalFeeds, type TerminalFeeds } from './terminals/terminal-feeds.js';
import { createTerminalHandlers } from './terminals/terminal-handlers.js';

export interface ServerDeps {
  readonly supervisor: ServedSupervisor;
  readonly projects: ProjectsPort;
  readonly files: FileHandlers;
  readonly diff?: DiffRun;
  readonly conversation?: ReadConversation;
  readonly version: string;
  readonly clock: Clock;
  readonly limits?: Partial<Limits>;
  /** The files of the page; see `PageFile`. */
  pageFile?(path: string): Promise<PageFile | undefined>;
  /**
   * Where the port of the page and its signed-in tokens are stored. The page is served after the first request for a
   * link.
   */
  readonly keptIn?: string;
  /** Number of open connections to the Unix socket, after each change. Must not throw. */
  onClients?(count: number): void;
  /** Number of connected viewers, after each change. Must not throw. */
  onViewers?(count: number): void;
  /** Hears of everything that was changed, and by whom. Must not throw. */
  onAction?(action: Action): void;
  /** Hears of bugs. Must not throw. */
  onBug?(error: unknown, where: string): void;
}

export interface ApiServer {
  /**
   * For commands: the position of a process distinguishes owner and agents. Rejects if others could reach the socket.
   */
  listenSocket(path: string, admission: Admission): Promise<void>;
  /** For the page, on 127.0.0.1; gives the port. It is chosen once, and kept in `keptIn` for the next time. */
  listenLoopback(place: LoopbackPlace): Promise<number>;
  close(): Promise<void>;
}

const cannotDiff: DiffRun = async () => {
  throw new ApiError('unavailable', 'this supervisor cannot compare files');
};

const cannotRead: ReadConversation = async () => {
  throw new ApiError('unavailable', 'this supervisor cannot read conversations');
};

const NO_STORE = { 'cache-control': 'no-store' };

/** The API over the given supervisor; it listens only on request. */
export function createServer(deps: ServerDeps): ApiServer {
  const { supervisor, clock } = deps;
  const limits = { ...LIMITS, ...deps.limits };
  const onBug = deps.onBug ?? (() => {});
  const capabilities = createCapabilities(clock, deps.keptIn === undefined ? undefined : keepTokens(deps.keptIn));
  const stores = createOpenStores(deps.projects, clock);
  const feeds = createTerminalFeeds(supervisor.host);
  const live = createLiveRoom({
    supervisor,
    stores,
    feeds,
    capabilities,
    version: deps.version,
    serverId: randomUUID(),
    clock,
    limits,
    onBug,
    onViewers: deps.onViewers ?? (() => {}),
  });
  const handlers = handlersOf(deps, { stores, feeds });
  const appDeps = appDepsOf(deps, capabilities);
  const servers: { readonly server: Server; end(): void }[] = [];
  const page = createPageServer({
    capabilities,
    limits,
    keptIn: deps.keptIn,
    upgrade: live.upgrade,
    onListening: (server) => void servers.push({ server, end: () => {} }),
    app: (makeLink) =>
      createApp({
        ...appDeps,
        headers: PAGE_HEADERS,
        handlers: { ...handlers, ...createLoopbackDoor(capabilities, clock), 'links.make': makeLink },
        ...(deps.pageFile === undefined ? {} : { pageFile: deps.pageFile }),
      }),
  });
  return {
    async listenSocket(path, admission) {
      const { close: end, ...doors } = createSocketDoor(admission, { capabilities, clock });
      const app = createApp({ ...appDeps, handlers: { ...handlers, ...doors, 'links.make': page.makeLink } });
      const server = createHttpServer({ app, limits, refuses: () => undefined, upgrade: live.upgrade });
      countConnections(server, deps.onClients ?? (() => {}));
      await listenSocket(server, path);
      servers.push({ server, end });
    },
    listenLoopback: page.listen,
    async close() {
      live.close();
      for (const { server, end } of servers) {
        end();
        await closeServer(server);
      }
      await feeds.close();
      await stores.close();
    },
  };
}

const appDepsOf = (
  { supervisor, onAction, onBug }: ServerDeps,
  capabilities: AppDeps['capabilities'],
): Omit<AppDeps, 'handlers'> => ({
  capabilities,
  runOf: supervisor.runOf,
  headers: NO_STORE,
  onAction: onAction ?? (() => {}),
  onBug: onBug ?? (() => {}),
});

interface Opened {
  readonly stores: OpenStores;
  readonly feeds: TerminalFeeds;
}

/** What can be asked at every door. */
const handlersOf = (
  { supervisor, files, diff, conversation, clock }: ServerDeps,
  { stores, feeds }: Opened,
): Partial<Handlers> => ({
  ...supervisor.handlers,
  ...files,
  ...createRunHandlers(stores, diff ?? cannotDiff, () => lookAtTerminals(supervisor, clock)),
  ...createQuestionHandlers(stores),
  ...createLogHandlers(stores, clock),
  ...createTerminalHandlers(supervisor, feeds),
  ...createConversationHandlers(stores, conversation ?? cannotRead),
});

function countConnections(server: Server, onClients: (count: number) => void): void {
  let count = 0;
  server.on('connection', (socket) => {
    onClients(++count);
    socket.once('close', () => onClients(--count));
  });
}

/** For the last answers, such as the one to who asked for the end. */
const ANSWER_MS = 500;

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const late = setTimeout(() => server.closeAllConnections(), ANSWER_MS);
  await closed;
  clearTimeout(late);
}
