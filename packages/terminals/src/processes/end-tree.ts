import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessInfo } from './list-processes.js';
import { isAlive, type ProcessIdentity } from './process-identity.js';
import { matchesMark } from './process-mark.js';
import type { ProcessTable } from './process-table.js';
import { selectTree } from './select-tree.js';

export interface EndRequest {
  readonly root: ProcessIdentity;
  readonly mark: string;
  readonly table: ProcessTable;
  /** How long it may take to end by itself after SIGTERM. */
  readonly graceMs: number;
}

export interface EndReport {
  /** How the agent itself ended: by itself within its time, or by force. */
  readonly manner: 'gone' | 'polite' | 'killed';
  readonly ended: readonly ProcessInfo[];
  /** What could not be ended: another user's, or stuck in the kernel. */
  readonly survivors: readonly ProcessInfo[];
}

const POLL_MS = 20;
/** Remaining processes are asked too, but not for long. */
const STRAGGLER_GRACE_MS = 1_000;
/** Each round freezes and kills the processes it finds; the next round finds new forks. */
const KILL_ROUNDS = 50;

/** What one agent runs now, the agent itself included. */
export async function findTree({ root, mark, table }: Omit<EndRequest, 'graceMs'>): Promise<ProcessInfo[]> {
  return selectTree(await table.look(), {
    root,
    isMarked: (candidate) => matchesMark(table.belongingOf(candidate).mark, mark),
    isHost: (candidate) => table.belongingOf(candidate).isHost,
    asker: process.pid,
  });
}

/** Ends an agent politely, then with all its children. Returns what it found; never rejects because of a process. */
export async function endTree(request: EndRequest): Promise<EndReport> {
  // Who belongs to it is noted first: once the parents are gone, only marks and sessions tell.
  const known = new Map<string, ProcessInfo>();
  const look = async () => {
    for (const found of await findTree(request)) known.set(keyOf(found), found);
    return [...known.values()].filter(isAlive);
  };
  const wasThere = isAlive(request.root);
  await look();
  let polite = false;
  if (wasThere) {
    sendToGroup(request.root, 'SIGTERM');
    sendToGroup(request.root, 'SIGCONT'); // a stopped process handles no signals
    polite = await waitUntil(() => !isAlive(request.root), request.graceMs);
  }
  const stragglers = (await look()).filter(({ pid }) => pid !== request.root.pid);
  if (polite || !wasThere) {
    for (const straggler of stragglers) send(straggler, 'SIGTERM');
    await waitUntil(() => !stragglers.some(isAlive), Math.min(STRAGGLER_GRACE_MS, request.graceMs));
  }
  const survivors = await killAll(look);
  const ended = [...known.values()].filter((candidate) => !isAlive(candidate));
  return { manner: wasThere ? (polite ? 'polite' : 'killed') : 'gone', ended, survivors };
}

async function killAll(look: () => Promise<ProcessInfo[]>): Promise<ProcessInfo[]> {
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const alive = await look();
    if (alive.length === 0) return [];
    for (const victim of alive) send(victim, 'SIGSTOP'); // no process forks while the others are killed
    for (const victim of await look()) send(victim, 'SIGKILL');
    await pause(POLL_MS);
  }
  return look();
}

async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await pause(POLL_MS);
  }
  return true;
}

/** Checks the pid once more, so that a process that just got it is not hit. */
function send(target: ProcessIdentity, signal: NodeJS.Signals): void {
  if (isAlive(target)) signalQuietly(target.pid, signal);
}

/** A process that was just forked leads no group yet: the signal then goes to the process alone. */
function sendToGroup(leader: ProcessIdentity, signal: NodeJS.Signals): void {
  if (isAlive(leader) && !signalQuietly(-leader.pid, signal)) send(leader, signal);
}

/** False where nothing was reached: gone meanwhile, or not ours. The next check will show. */
function signalQuietly(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

const keyOf = ({ pid, started }: ProcessIdentity) => `${pid} ${started}`;
