import { readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import {
  type Clock,
  messageOf,
  openStore,
  parseToolsReport,
  readRuns,
  redactText,
  type StoreBackend,
  type ToolsReport,
  writeToolsReport,
} from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import type { Recall } from '../recall/create-recall.js';
import { toListed } from '../recall/to-listed.js';
import type { Records } from '../store-access/create-records.js';
import type { StoreLocation } from '../store-access/store-location.js';
import type { Agreements } from '../trust/agreements.js';
import { createWorkflowGate } from '../trust/workflow-gate.js';

interface ServeRequest {
  /** As typed; relative to the current folder. */
  readonly worktree: string;
  readonly workflowPath?: string;
  /** The project whose records count. Default: the project of the worktree. */
  readonly repoRoot?: string;
  readonly location: StoreLocation;
  /** The file that says whether it serves. */
  readonly reportTo?: string;
}

interface ServeDeps {
  /** Loaded when it is first needed: no other command needs it. */
  readonly loadMcp: () => Promise<typeof import('@devs/mcp')>;
  readonly recordsIn: (folder: string) => Records;
  /** The id of the clone that a folder belongs to. */
  readonly cloneOf: (folder: string) => Promise<string | undefined>;
  readonly loadStores: () => Promise<Pick<typeof import('@devs/store'), 'excludeFromGit' | 'findProjectRoot'>>;
  readonly recall: Recall;
  readonly shippedWorkflows: string;
  readonly agreements: Agreements;
  readonly version: string;
  readonly hostName: string;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly stdin: Readable;
  readonly stdout: Writable;
}

/** With what is kept of damaged ones, and drafts. */
const STATE_FILES = 'workflow-state.json*';

export type ServeWorkflow = (request: ServeRequest, signal: AbortSignal) => Promise<void>;

/** The MCP server of one worktree, until its client goes away. */
export const createServeWorkflow =
  (deps: ServeDeps): ServeWorkflow =>
  async (request, signal) => {
    const report = createToolsReporter(request.reportTo);
    try {
      await serve(deps, request, { signal, onListed: report.connected });
    } catch (error) {
      report.failed(error);
      throw error;
    }
  };

interface Serving {
  readonly signal: AbortSignal;
  /** The client has the list of the tools. */
  onListed(): void;
}

async function serve(deps: ServeDeps, request: ServeRequest, { signal, onListed }: Serving): Promise<void> {
  const { clock, newId, version, hostName, stdin, stdout } = deps;
  const worktree = folderAt('--worktree', request.worktree);
  const workflowPath = request.workflowPath === undefined ? undefined : fileAt('--workflow-path', request.workflowPath);
  const records = deps.recordsIn(request.repoRoot === undefined ? worktree : folderAt('--repo-root', request.repoRoot));
  const repoRoot = realpathSync((await records.here()).root);
  const [mcp, existing] = await Promise.all([deps.loadMcp(), records.open(request.location, 'existing')]);
  const exclude = async () => {
    const { excludeFromGit, findProjectRoot } = await deps.loadStores();
    excludeFromGit(findProjectRoot(worktree), STATE_FILES);
  };
  if (existing !== undefined) await exclude();
  const backend =
    existing ??
    openOnFirstUse(async () => {
      const made = await records.open(request.location, 'create');
      if (made === undefined) throw new CliError('the store could not be made. Name another one with --store.');
      await exclude();
      return made;
    });
  const store = openStore({ backend, clock, newId });
  const clone = request.location.kind === 'redis' ? await deps.cloneOf(repoRoot) : undefined;
  try {
    const { server, flush } = mcp.createWorkflowServer({
      version,
      store,
      newId,
      worktree,
      ...(clone !== undefined && { clone }),
      worktreeStream: mcp.worktreeStream({
        worktree,
        repoRoot,
        ...(request.location.kind === 'redis' && { host: hostName }),
      }),
      templateFolders: mcp.templateFoldersOf(
        repoRoot,
        deps.shippedWorkflows,
        createWorkflowGate(deps.agreements, repoRoot),
      ),
      async recall(wanted) {
        const runs = existing === undefined ? [] : await readRuns({ store, backend });
        const worktrees = runs.flatMap((run) => (run.worktree === undefined ? [] : [run.worktree.path]));
        const found = await deps.recall({ root: repoRoot, worktrees: [worktree, ...worktrees], ...wanted });
        return { results: found.results.map(toListed), conversations: found.conversations };
      },
      ...(workflowPath !== undefined && { workflowPath }),
      onListed,
    });
    await mcp.serveStdio(server, { stdin, stdout, signal });
    await flush();
  } finally {
    await store.close();
  }
}

function folderAt(option: string, path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return realpathSync(path);
  throw new UsageError(`${option}: there is no folder ${path}.`);
}

function fileAt(option: string, path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return resolve(path);
  throw new UsageError(`${option}: there is no file ${path}. \`devs workflow list\` shows what there is.`);
}

/** Tells the supervisor of a run whether its agent has the workflow tools. Never throws: the tools are there without it, too. */
interface ToolsReporter {
  connected(): void;
  /** Counts where no server before it served this agent: some agents start several. */
  failed(error: unknown): void;
}

export function createToolsReporter(file: string | undefined): ToolsReporter {
  const write = (report: ToolsReport) => {
    if (file === undefined) return;
    try {
      writeFileSync(file, writeToolsReport(report), { mode: 0o600 });
    } catch {
      // the run is over, and its folder gone
    }
  };
  return {
    connected: () => write({ status: 'connected' }),
    failed(error) {
      if (file === undefined || reportIn(file)?.status === 'connected') return;
      const text = messageOf(error);
      write({ status: 'failed', error: redactText(text.replaceAll(/\s+/g, ' ').trim()) });
    },
  };
}

function reportIn(file: string): ToolsReport | undefined {
  try {
    return parseToolsReport(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * A store created on first use: a server that is only listed, in an unrelated folder, leaves nothing there. The first
 * caller gets the error if it cannot be created, and the next caller tries again.
 */
function openOnFirstUse(open: () => Promise<StoreBackend>): StoreBackend {
  let opened: Promise<StoreBackend> | undefined;
  const backend = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    id: async () => (await backend()).id(),
    commit: async (commit) => (await backend()).commit(commit),
    read: async (query) => (await backend()).read(query),
    version: async (stream) => (await backend()).version(stream),
    changed: async (query, signal) => (await backend()).changed(query, signal),
    loadTasks: async (ids) => (await backend()).loadTasks(ids),
    claimableTasks: async (limit) => (await backend()).claimableTasks(limit),
    expiredTasks: async (now, limit) => (await backend()).expiredTasks(now, limit),
    dependentsOf: async (id) => (await backend()).dependentsOf(id),
    listTasks: async (query) => (await backend()).listTasks(query),
    renewLease: async (lease) => (await backend()).renewLease(lease),
    leaseTime: async (caller) => (await backend()).leaseTime(caller),
    loadLease: async (name) => (await backend()).loadLease(name),
    swapLease: async (swap) => (await backend()).swapLease(swap),
    loadSnapshot: async (name) => (await backend()).loadSnapshot(name),
    saveSnapshot: async (name, snapshot) => (await backend()).saveSnapshot(name, snapshot),
    trim: async (trim) => (await backend()).trim(trim),
    compact: async () => (await backend()).compact(),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}
