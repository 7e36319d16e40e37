import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { ApiError, type OperationName } from '@devs/api';
import { openStore, type RunFacts, readRuns } from '@devs/core';
import type { PageFile } from '@devs/server';
import { createServer, type ReadConversation } from '@devs/server';
import { openHostIn } from '@devs/supervisor';
import { issueChallenge, seatIn } from '@devs/terminals/admission';
import { CliError } from '../cli-error.js';
import type { LocalRuns } from '../run/create-runs.js';
import type { Records } from '../store-access/create-records.js';
import { createFileHandlers, type FileHandlersDeps } from './file-handlers.js';
import { createServedSupervisor, type ServedSupervisorDeps } from './served-supervisor.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.md': 'text/plain; charset=utf-8',
};

/** Files that are asked for by their names; every other path is a view of the one page. */
const FILES = /^\/(?:assets\/[\w.-]+|icon\.svg|manifest\.webmanifest|licenses\.md)$/;

/** The files of the page in a folder. */
const readPageFile =
  (folder: string) =>
  async (path: string): Promise<PageFile | undefined> => {
    if (path.startsWith('/v1/')) return undefined;
    const file = FILES.test(path) ? join(folder, path) : join(folder, 'index.html');
    const bytes = await readFile(file).catch(() => undefined); // not built, or of another build
    return bytes && { bytes: new Uint8Array(bytes), type: TYPES[extname(file)] ?? 'application/octet-stream' };
  };

export interface ApiPlace extends Omit<ServedSupervisorDeps, 'host' | 'projects' | 'newId'> {
  readonly version: string;
  readonly filesOf: FileHandlersDeps['filesOf'];
  readonly recall: FileHandlersDeps['recall'];
  /** What starts devs: `[node, devs.mjs]`. */
  readonly devsCommand: readonly string[];
  readonly socketPath: string;
  readonly hostFolder: string;
  readonly recordsIn: (folder: string) => Records;
  readonly isGone: (by: string) => boolean;
  readonly warn: (text: string) => void;
  /** The folder of the page, as it was built. */
  readonly pageFolder: string;
  /** What runs changed, by the git of the supervisor's own environment. */
  readonly runsIn: (folder: string) => Pick<LocalRuns, 'diff'>;
  readonly conversation: ReadConversation;
  /** How many connections of commands are open. */
  readonly onClients: (count: number) => void;
  /** Whether a viewer watches, or was invited a moment ago. */
  readonly onWatched: (isWatched: boolean) => void;
}

export interface ServedApi {
  /** What is supervised may be different now. */
  changed(): void;
  close(): Promise<void>;
}

/** The API of `@devs/server` over the supervisor of this process. */
export async function serveApi(place: ApiPlace): Promise<ServedApi> {
  const { version, socketPath, hostFolder, recordsIn, isGone, warn } = place;
  const keptIn = dirname(socketPath);
  const watch = createWatch(place.onWatched);
  const clock = { now: Date.now };
  const roots = async () => (await recordsIn(keptIn).projects()).map(({ root }) => root);
  const open: OpenProject = async ({ root, location }) => {
    const backend = await recordsIn(root).open(location, 'existing');
    return backend && { backend, store: openStore({ backend, clock, newId: randomUUID, isGone }) };
  };
  const supervisor = createServedSupervisor({
    ...place,
    newId: randomUUID,
    host: () => openHostIn({ folder: hostFolder }),
    projects: roots,
  });
  const server = createServer({
    supervisor,
    version,
    clock,
    files: createFileHandlers({
      projects: roots,
      filesOf: place.filesOf,
      devsCommand: place.devsCommand,
      recall: place.recall,
      runsOf: (root) => readRunsIn(root, open),
    }),
    conversation: place.conversation,
    diff: (run, root, span) => textOfDiff(place.runsIn(root).diff(run, span)),
    projects: {
      list: async () => (await roots()).map((root) => ({ root, location: { kind: 'project' } })),
      open,
    },
    keptIn,
    pageFile: readPageFile(place.pageFolder),
    onClients: place.onClients,
    onViewers: watch.viewers,
    onAction({ by, operation, about = '' }) {
      if (!USUAL.has(operation)) warn(`${by.name} (${by.scope}): ${operation} ${about}`.trimEnd());
      if (operation === 'links.make') watch.invited();
    },
    onBug: (error, where) => warn(`${where}: ${error instanceof Error ? error.stack : String(error)}`),
  });
  await server.listenSocket(socketPath, {
    issueChallenge: () => issueChallenge(keptIn),
    seatOf: (pid) => seatIn(hostFolder, pid),
  });
  // A page that was left open finds its supervisor again.
  if (existsSync(join(keptIn, 'server.json')))
    await server.listenLoopback({ keptIn }).catch((error: unknown) => warn(`the page is not served: ${error}`));
  return {
    changed: supervisor.changed,
    close() {
      watch.close();
      return server.close();
    },
  };
}

type OpenProject = Parameters<typeof createServer>[0]['projects']['open'];

async function readRunsIn(root: string, open: OpenProject): Promise<readonly RunFacts[]> {
  const opened = await open({ root, location: { kind: 'project' } });
  if (opened === undefined) return [];
  try {
    return await readRuns(opened);
  } finally {
    await opened.store.close();
  }
}

/** What every command and window does all the time is not worth a line in the log. */
const USUAL: ReadonlySet<string> = new Set<OperationName>([
  'terminals.attend',
  'terminals.leave',
  'terminals.provide',
  'runs.provide',
  'queues.provide',
]);

async function textOfDiff(asked: ReturnType<LocalRuns['diff']>): Promise<string> {
  const printed = await asked.catch((error: unknown): never => {
    throw error instanceof CliError ? new ApiError('conflict', error.message) : error;
  });
  if (printed.outcome === 'printed') return printed.text;
  throw new ApiError('unavailable', `git cannot tell: ${printed.outcome}`);
}

/** As long as a link works. */
const INVITED_MS = 60_000;

/** Who watches keeps the supervisor from ending. */
function createWatch(onWatched: (isWatched: boolean) => void) {
  let viewers = 0;
  let invited: NodeJS.Timeout | undefined;
  const tell = () => onWatched(viewers > 0 || invited !== undefined);
  return {
    viewers(count: number) {
      viewers = count;
      tell();
    },
    invited() {
      clearTimeout(invited);
      invited = setTimeout(() => {
        invited = undefined;
        tell();
      }, INVITED_MS);
      invited.unref();
      tell();
    },
    close: () => clearTimeout(invited),
  };
}
