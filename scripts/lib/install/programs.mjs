import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { capture } from '../run.mjs';
import { say } from '../say.mjs';
import { npm } from './pnpm.mjs';

/**
 * @typedef {{ name: string, version: string, package: string, program: string, variable: string }} Program
 *   `program` is below `node_modules`; `variable` names an installed one
 */

/**
 * The versions that the tests know: agents change what they do from one to the next.
 *
 * @type {readonly Program[]}
 */
export const AGENT_PROGRAMS = [
  {
    name: 'Claude Code',
    version: '2.1.325',
    package: '@anthropic-ai/claude-code',
    program: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
    variable: 'DEVS_CLAUDE_CODE',
  },
  {
    name: 'Codex',
    version: '0.166.0',
    package: '@openai/codex',
    program: '@openai/codex/bin/codex.js',
    variable: 'DEVS_CODEX',
  },
  {
    name: 'opencode',
    version: '1.18.33',
    package: 'opencode-ai',
    program: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    variable: 'DEVS_OPENCODE',
  },
  {
    name: 'Gemini CLI',
    version: '0.61.0',
    package: '@google/gemini-cli',
    program: '@google/gemini-cli/bundle/gemini.js',
    variable: 'DEVS_GEMINI',
  },
  {
    name: 'Qwen Code, as an agent that only speaks ACP',
    version: '0.15.10',
    package: '@qwen-code/qwen-code',
    program: '@qwen-code/qwen-code/cli.js',
    variable: 'DEVS_QWEN',
  },
];

/**
 * A newer Node than the oldest that we promise, for its unit tests.
 *
 * @type {Program}
 */
export const NEWER_NODE = {
  name: 'Node',
  version: '24.18.1',
  package: `node-${process.platform}-${process.arch}`,
  program: `node-${process.platform}-${process.arch}/bin/node`,
  variable: 'DEVS_NEWER_NODE',
};

/** Outside of the checkout, and kept from one run to the next: they have hundreds of megabytes. */
const cache = process.env.DEVS_AGENTS_CACHE || join(homedir(), '.cache', 'devs-agents');

/**
 * The file of a program; nothing where it is not there and cannot be had.
 *
 * @param {Program} wanted
 * @returns {Promise<string | undefined>}
 */
export async function installProgram({ name, version, package: packageName, program, variable }) {
  const named = process.env[variable];
  if (named !== undefined) return existsSync(named) ? named : undefined;
  const folder = join(cache, `${packageName.split('/').at(-1)}@${version}`);
  const file = join(folder, 'node_modules', ...program.split('/'));
  if (existsSync(file)) return file;
  say(`installing ${name} ${version} into ${folder}, once`);
  mkdirSync(folder, { recursive: true });
  const [npmFile, ...npmArgs] = npm();
  const args = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `${packageName}@${version}`];
  await capture(npmFile, [...npmArgs, ...args], { cwd: folder }).catch(() => undefined);
  return existsSync(file) ? file : undefined;
}
