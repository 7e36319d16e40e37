import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { repoRoot } from '../paths.mjs';
import { capture } from '../run.mjs';
import { say } from '../say.mjs';

const COLUMNS = 100;
const ROWS = 32;
const MAX_MS = 180_000;

/** @param {string} name of a package here, as it was built */
export const builtPackage = (name) => import(pathToFileURL(join(repoRoot, 'packages', name, 'dist', 'index.js')).href);

/**
 * A shell with a fresh home, and its screen as text.
 *
 * @param {{ folder: string, env: Record<string, string>, agent: { name: string, command: readonly string[] } }}
 * options
 */
export async function openStage({ folder, env, agent }) {
  const home = join(folder, 'home');
  const project = join(home, 'shop');
  const bin = join(folder, 'bin');
  for (const path of [project, bin]) mkdirSync(path, { recursive: true });
  const words = agent.command.map((word) => `'${word}'`).join(' ');
  writeFileSync(join(bin, agent.name), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, agent.name), 0o755);
  const all = {
    PATH: `${join(folder, 'npm', 'bin')}:${bin}:${process.env.PATH ?? ''}`,
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
    ...env,
  };
  /** @type {string[]} */
  const recorded = [];
  const clean = (/** @type {string} */ text) =>
    text
      .replaceAll(project, '~/shop')
      .replaceAll(home, '~')
      .replaceAll(folder, '~')
      .replace(/[ \t]+$/gm, '');
  const write = (/** @type {string} */ text) => void recorded.push(clean(text).trimEnd());
  const { createScreen } = await builtPackage('terminals');
  const { spawn } = createRequire(join(repoRoot, 'packages', 'cli', 'package.json'))('@lydell/node-pty');

  return {
    home,
    project,
    /** What was recorded, as one text. */
    text: () => recorded.join('\n\n'),
    title: (/** @type {string} */ text) => write(`== ${text}`),
    note: (/** @type {string} */ text) => write(`# ${text}`),
    /**
     * Types a command into a shell without a terminal of its own, and records what it prints.
     *
     * @param {string} line
     * @param {{ cwd?: string, env?: Record<string, string> }} [where]
     */
    async type(line, { cwd = project, env: more = {} } = {}) {
      say(line);
      const { code, output } = await capture('/bin/sh', ['-c', line], { cwd, env: { ...all, ...more } });
      write(`$ ${line}\n${output.trimEnd()}${code === 0 ? '' : `\n[exit code ${code}]`}`);
      return output;
    },
    /**
     * The same in a terminal, which stays open.
     *
     * @param {string} line
     */
    open(line) {
      say(line);
      const screen = createScreen({ columns: COLUMNS, rows: ROWS });
      const pty = spawn('/bin/sh', ['-c', `exec ${line}`], {
        name: 'xterm-256color',
        cols: COLUMNS,
        rows: ROWS,
        cwd: project,
        env: all,
      });
      return {
        ...actIn(pty, screen),
        /** As it looks now. */
        record: (/** @type {string} */ about) => write(`$ ${line}\n[${about}]\n${screen.text()}`),
      };
    },
  };
}

/**
 * What a person does in a terminal: look, press keys, wait.
 *
 * @param {{
 *   onData(listener: (part: string) => void): void,
 *   onExit(listener: () => void): void,
 *   write(keys: string): void,
 *   kill(): void,
 * }} pty
 * @param {{ write(part: Buffer): unknown, text(): string }} screen
 */
function actIn(pty, screen) {
  let isOver = false;
  pty.onData((part) => void screen.write(Buffer.from(part)));
  pty.onExit(() => {
    isOver = true;
  });
  const until = async (/** @type {string} */ what, /** @type {() => boolean} */ isSo) => {
    for (const deadline = Date.now() + MAX_MS; !isSo(); await pause(50)) {
      if (Date.now() > deadline || (isOver && what !== 'its end'))
        throw new Error(`never seen: ${what}\n${screen.text()}`);
    }
  };
  return {
    shows: (/** @type {string} */ text) => until(text, () => screen.text().includes(text)),
    press: (/** @type {string} */ keys) => pty.write(keys),
    ended: () => until('its end', () => isOver),
    close: () => isOver || pty.kill(),
  };
}
