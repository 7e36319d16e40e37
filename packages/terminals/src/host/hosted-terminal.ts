import { join } from 'node:path';
import { type OutputLog, openOutputLog } from '../output/output-log.js';
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
  const ring = createOutputRing(params.ringBytes ?? RING_BYTES);
  const outputFolder = join(outputRoot(request.folder), terminalId, `${spawnedAt}-${handle}`);
  const log: OutputLog | undefined =
    params.log === false ? undefined : openOutputLog({ folder: outputFolder, output: ring });
  const sizes = createSizeHistory({ offset: 0, columns: params.columns, rows: params.rows });
  let exit: TerminalExit | undefined;
  let finished: () => void;
  const exited = new Promise<void>((resolve) => {
    finished = resolve;
  });

  const pty = openPty({
    ...params,
    umask: params.umask,
    env: { TERM: 'xterm-256color', ...params.env, PWD: params.cwd, [MARK_VARIABLE]: mark },
    privateFds: request.privateFds,
    readBuffer: request.readBuffer,
    onOutput(bytes) {
      ring.append(bytes);
      log?.wake();
      request.onChange();
    },
    onExit(ptyExit) {
      exit = { ...ptyExit, at: Date.now() };
      void log?.close();
      finished();
      request.onChange();
      request.onExit();
    },
  });
  // An ended process has no start time any more; its pid cannot be reused before it is collected.
  const identity = identifyProcess(pty.pid) ?? { pid: pty.pid, started: 'ended at once' };

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
    describe: () => ({
      terminalId,
      handle,
      ...identity,
      file: params.file,
      cwd: params.cwd,
      columns: sizes.now.columns,
      rows: sizes.now.rows,
      spawnedAt,
      output: { start: ring.start, end: ring.end },
      ...(log === undefined ? {} : { outputFolder }),
      ...(exit === undefined ? {} : { exit }),
    }),
    write: pty.write,
    resize(columns, rows) {
      pty.resize(columns, rows);
      sizes.add({ offset: ring.end, columns, rows });
      request.onChange();
    },
    async end(graceMs) {
      const report = await endTree({ root: identity, mark, table: request.table, graceMs });
      if (report.survivors.every(({ pid }) => pid !== identity.pid)) await exited;
      return report;
    },
    processes: () => findTree({ root: identity, mark, table: request.table }),
  };
}
