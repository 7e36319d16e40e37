import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@devs/core/testing';
import { connectHost, createScreen, type HostedTerminal } from '@devs/terminals';
import { endHost } from '@devs/terminals/testing';
import { spawn } from '@lydell/node-pty';
import { onTestFinished } from 'vitest';
import { DEVS, type DevsRun, runDevs } from '../../__tests__/run-devs.js';
import { connectSupervisor } from '../../supervise/connect-supervisor.js';
import type { TerminalListing } from '../listing/terminal-listing.js';

export const RAW_AGENT = fileURLToPath(new URL('../../__tests__/programs/raw-agent.mjs', import.meta.url));

/**
 * A user with a home, a project and an agent called `claude` (or another name) on their PATH, who types `devs` in real
 * terminals.
 */
export interface FrontDoor {
  readonly home: string;
  readonly project: string;
  readonly stateFolder: string;
  /** Of the shells in which they type. */
  readonly env: Readonly<Record<string, string>>;
  /** The real program in a real terminal, with a shell around it that says how it ended. */
  open(args: readonly string[], options?: { columns?: number; rows?: number; env?: Record<string, string> }): Window;
  /** The same without a terminal. */
  run(...args: readonly string[]): Promise<DevsRun>;
  /** The same, with unread output. */
  runUnread(...args: readonly string[]): Promise<DevsRun>;
  /** What the host holds. */
  hosted(): Promise<readonly HostedTerminal[]>;
  /** The only terminal, as `devs` lists it. */
  terminal(): Promise<TerminalListing | undefined>;
  /** Process of the supervisor, once there is one besides `other`. */
  supervisorPid(other?: number): Promise<number>;
}

export interface Window {
  readonly text: string;
  /** Of `devs` itself. */
  pid(): Promise<number>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves with everything that was printed since the last call, when that holds this. */
  until(expected: string | RegExp): Promise<string>;
  /** Resolves when its screen shows this, however it was drawn. */
  shows(expected: string): Promise<void>;
  /** What its screen shows, row by row. */
  rows(): readonly string[];
  /** Closes it, as a user does with the mouse: the terminal is gone before anybody is told. */
  close(): void;
}

const TRIED_VERSION = '2.1.325';

export interface FrontDoorOptions {
  /** What the agent says that it is: a number, or `its own`. */
  readonly version?: string;
  readonly command?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** `agent`: a program and its arguments. */
export function openFrontDoor(agent: readonly string[], options: FrontDoorOptions = {}): FrontDoor {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-door-')));
  const [home, project, bin, state] = ['home', 'shop', 'bin', 'state'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const path of [home, project, bin]) mkdirSync(path);
  const program = join(bin, options.command ?? 'claude');
  const words = agent.map((word) => `'${word}'`).join(' ');
  const { version = TRIED_VERSION } = options;
  const answer = version === 'its own' ? '' : `[ "$1" = --version ] && echo '${version}' && exit\n`;
  writeFileSync(program, `#!/bin/sh\n${answer}exec ${words} "$@"\n`);
  chmodSync(program, 0o755);
  const env: Record<string, string> = {
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    HOME: home,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: join(home, 'config'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    NODE: process.execPath,
    DEVS,
    ...options.env,
  };
  const hostFolder = join(state, 'devs', 'terminals');
  const supervisorSocket = join(state, 'devs', 'supervisor', 'api.sock');
  const windows: Window[] = [];
  onTestFinished(async () => {
    for (const window of windows) window.close();
    const supervisor = await connectSupervisor(supervisorSocket);
    await supervisor?.port.shutdown('pause').catch(() => {}); // first: it would start agents again
    if (existsSync(hostFolder)) await endEverything(hostFolder);
    await until(() => isRemoved(folder)); // what still ends may write once more
  });

  const door: FrontDoor = {
    home,
    project,
    stateFolder: state,
    env,
    open(args, { columns = 80, rows = 24, env: more = {} } = {}) {
      const window = openWindow({ args, columns, rows, env: { ...env, ...more }, cwd: project });
      windows.push(window);
      return window;
    },
    run: (...args) => runDevs(args, { cwd: project, env }),
    runUnread: (...args) => runDevs(args, { cwd: project, env, closeStdout: true }),
    async terminal() {
      const { terminals } = JSON.parse((await door.run('--json')).stdout) as { terminals: TerminalListing[] };
      return terminals[0];
    },
    async supervisorPid(other) {
      let pid: number | undefined;
      await until(async () => {
        const client = await connectSupervisor(supervisorSocket).catch(() => undefined);
        client?.close();
        pid = client?.pid;
        return pid !== undefined && pid !== other;
      });
      return pid ?? 0;
    },
    async hosted() {
      const { host } = await connectHost({ folder: hostFolder });
      const found = await host.list();
      host.close();
      return found;
    },
  };
  return door;
}

async function endEverything(hostFolder: string): Promise<void> {
  const { host } = await connectHost({ folder: hostFolder, graceMs: 300 });
  for (const { terminalId } of await host.list()) await host.end(terminalId, { graceMs: 0 });
  host.close();
  await endHost(hostFolder);
}

interface WindowRequest {
  readonly args: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly env: Record<string, string>;
  readonly cwd: string;
}

/** The shell stays: the last words of a program that ends together with its terminal can be lost. */
const SHELL =
  '"$NODE" "$DEVS" "$@" & echo "[pid=$!]"; fg >/dev/null 2>&1; echo "[rc=$?]"; stty -a; echo "[end]"; read wait';

function openWindow({ args, columns, rows, env, cwd }: WindowRequest): Window {
  const pty = spawn('/bin/bash', ['--norc', '-m', '-c', SHELL, 'sh', ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env: { ...env },
  });
  let text = '';
  let seen = 0;
  let isClosed = false;
  const screen = createScreen({ columns, rows });
  pty.onData((part) => {
    text += part;
    void screen.write(Buffer.from(part));
  });
  return {
    get text() {
      return text;
    },
    async pid() {
      const [, pid] = /\[pid=(\d+)\]/.exec(await this.until(/\[pid=\d+\]/)) ?? [];
      return Number(pid);
    },
    type: (keys) => pty.write(keys),
    resize(newColumns, newRows) {
      pty.resize(newColumns, newRows);
      void screen.resize({ columns: newColumns, rows: newRows });
    },
    rows: () => screen.view().rows,
    shows: (expected) =>
      until(
        () => screen.text().includes(expected),
        () => `shown: ${expected}\n${screen.text()}`,
      ),
    async until(expected) {
      const isThere = (part: string) => (typeof expected === 'string' ? part.includes(expected) : expected.test(part));
      await until(
        () => isThere(text.slice(seen)),
        () => `seen: ${String(expected)}\n${JSON.stringify(text.slice(seen))}`,
      );
      const part = text.slice(seen);
      seen = text.length;
      return part;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      (pty as typeof pty & { destroy(): void }).destroy();
    },
  };
}
