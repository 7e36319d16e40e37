import { join } from 'node:path';
import { openOutputLog } from '../output/output-log.js';
import { outputRoot } from '../output/purge-output.js';
import { type EndReport, endTree, findTree } from '../processes/end-tree.js';
import type { ProcessInfo } from '../processes/list-processes.js';
import { identifyProcess, type ProcessIdentity } from '../processes/process-identity.js';
import { MARK_VARIABLE, renderMark } from '../processes/process-mark.js';
import type { ProcessTable } from '../processes/process-table.js';
import type { HostedTerminal as Description, SpawnParams, TerminalExit } from '../protocol/messages.js';
import type { InputOutcome } from './input-queue.js';
import { openPty } from './open-pty.js';
import { createOutputRing, type OutputRing } from './output-ring.js';
import { createSizeHistory, type SizeHistory } from './size-history.js';

/** One agent process in a PTY, with its latest output. Does not interpret the output. */
export interface HostedTerminal {
  readonly terminalId: string;
  readonly handle: number;
  readonly identity: ProcessIdentity;
  readonly mark: string;
  readonly ring: OutputRing;
  readonly sizes: SizeHistory;
  readonly exit: TerminalExit | undefined;
  /** Left by a client for the next: a screen, and the offset up to which it shows the output. */
  kept: { readonly offset: number; readonly data: string } | undefined;
  /** The supervisor that took it last. */
  holder: string | undefined;
  readonly fds: readonly number[];
  describe(): Description;
  write(bytes: Buffer): Promise<InputOutcome>;
  resize(columns: number, rows: number): void;
  end(graceMs: number): Promise<EndReport>;
  processes(): Promise<ProcessInfo[]>;
}

export interface StartRequest {
  readonly params: SpawnParams;
  readonly handle: number;
  readonly instance: string;
  readonly folder: string;
  readonly privateFds: readonly number[];
  readonly readBuffer: Buffer;
  readonly table: ProcessTable;
  /** There is more in the ring, the size is another one, or the terminal has exited. */
  onChange(): void;
  onExit(): void;
}

const RING_BYTES = 2 << 20;

/** Throws when the system has no terminal or no process left. */
export function startTerminal(request: StartRequest): HostedTerminal {
  const { params, handle, instance } = request;
  const { terminalId } = params;
  const mark = renderMark({ instance, terminalId, handle });
  const spawnedAt = Date.now();
  const { ring, log, ...output } = recordingOf(request, spawnedAt);
  const sizes = createSizeHistory({ offset: 0, columns: params.columns, rows: params.rows });
  let exit: TerminalExit | undefined;
  let finished: () => void;
  const exited = new Promise<void>((resolve) => {
    finished = resolve;
  });

  const onOutput = (bytes: Buffer) => {
    ring.append(bytes);
    log?.wake();
    request.onChange();
  };
  const onExit = (ptyExit: Omit<TerminalExit, 'at'>) => {
    exit = { ...ptyExit, at: Date.now() };
    void log?.close();
    finished();
    request.onChange();
    request.onExit();
  };
  const { pty, identity } = startPty(request, mark, { onOutput, onExit });
  const { file, cwd } = params;
  const started = { terminalId, handle, ...identity, file, cwd, spawnedAt, ...output };
  const tree = { root: identity, mark, table: request.table };
  return {
    terminalId,
    handle,
    identity,
    mark,
    ring,
    sizes,
    kept: undefined,
    holder: undefined,
    get exit() {
      return exit;
    },
    get fds() {
      return exit === undefined ? pty.fds : [];
    },
    describe: () => ({ ...started, ...sizeAndOutput(sizes, ring), ...(exit === undefined ? {} : { exit }) }),
    write: pty.write,
    resize(columns, rows) {
      pty.resize(columns, rows);
      sizes.add({ offset: ring.end, columns, rows });
      request.onChange();
    },
    async end(graceMs) {
      const report = await endTree({ ...tree, graceMs });
      if (report.survivors.every(({ pid }) => pid !== identity.pid)) await exited;
      return report;
    },
    processes: () => findTree(tree),
  };
}

const sizeAndOutput = ({ now: { columns, rows } }: SizeHistory, { start, end }: OutputRing) => ({
  columns,
  rows,
  output: { start, end },
});

/** The newest output in memory, and all of it on disk unless that is not wanted. */
function recordingOf({ params, folder, handle }: StartRequest, spawnedAt: number) {
  const ring = createOutputRing(params.ringBytes ?? RING_BYTES);
  if (params.log === false) return { ring, log: undefined };
  const outputFolder = join(outputRoot(folder), params.terminalId, `${spawnedAt}-${handle}`);
  return { ring, log: openOutputLog({ folder: outputFolder, output: ring }), outputFolder };
}

type PtyEnds = Pick<Parameters<typeof openPty>[0], 'onOutput' | 'onExit'>;

function startPty({ params, privateFds, readBuffer }: StartRequest, mark: string, ends: PtyEnds) {
  const env = { TERM: 'xterm-256color', ...params.env, PWD: params.cwd, [MARK_VARIABLE]: mark };
  const pty = openPty({ ...params, umask: params.umask, env, privateFds, readBuffer, ...ends });
  // An ended process has no start time any more; its pid cannot be reused before it is collected.
  return { pty, identity: identifyProcess(pty.pid) ?? { pid: pty.pid, started: 'ended at once' } };
}
