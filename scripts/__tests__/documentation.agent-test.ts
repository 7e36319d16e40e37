import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repoRoot } from '../lib/paths.mjs';
import { argumentsOf, documentedCommands, optionsAmong } from '../lib/source/documented-commands.mjs';
import { listPages } from '../lib/source/pages.mjs';

const PROGRAMS = { claude: process.env.DEVS_CLAUDE_CODE ?? '', codex: process.env.DEVS_CODEX ?? '' };

const commands = listPages().flatMap((path) =>
  documentedCommands(relative(repoRoot, path), readFileSync(path, 'utf8')),
);

describe('what the documentation says about agents', () => {
  it.each(Object.entries(PROGRAMS))('%s has every option that a page gives it', async (name, program) => {
    const { output } = await runAgent(program, ['--help']);
    const known = new Set(output.match(/(?<![\w-])--?[a-z][\w-]*/gi));
    const unknown = commands.flatMap((command) => {
      const args = argumentsOf(command, name) ?? passedOn(argumentsOf(command, 'devs') ?? [], name);
      const isOwn = args.some((word) => ['mcp', 'plugin', 'hook'].includes(word)); // a command with options of its own
      return isOwn ? [] : optionsAmong(args).filter((option) => !known.has(option));
    });

    expect(unknown).toEqual([]);
  });

  it('Claude Code installs the plugin from a checkout', async () => {
    const home = mkdtempSync(join(tmpdir(), 'devs-market-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    const claude = (...args: string[]) => runAgent(PROGRAMS.claude, ['plugin', ...args], home);

    expect(await claude('marketplace', 'add', repoRoot)).toMatchObject({ code: 0 });
    expect(await claude('install', 'devs@devs')).toMatchObject({ code: 0 });
    expect((await claude('list')).output).toMatch(/devs@devs[\s\S]*enabled/);
  });
});

/** What stands behind the agent's name: `devs --name parser codex --search` passes `--search` on. */
function passedOn(args: readonly string[], agent: string): string[] {
  const at = args.indexOf(agent);
  return at === -1 ? [] : args.slice(at + 1);
}

function runAgent(
  program: string,
  args: readonly string[],
  home = tmpdir(),
): Promise<{ code: number; output: string }> {
  const env = { ...process.env, HOME: home, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' };
  const [file, before] = program.endsWith('.js') ? [process.execPath, [program]] : [program, []];
  return new Promise((resolve) => {
    const child = execFile(file, [...before, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: `${stdout}${stderr}` }),
    );
    child.stdin?.end();
  });
}
