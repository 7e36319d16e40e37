import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repoRoot } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';
import { argumentsOf, documentedCommands, optionsAmong } from '../lib/source/documented-commands.mjs';
import { listPages } from '../lib/source/pages.mjs';

const DEVS = join(repoRoot, 'packages/cli/bin/devs.mjs');
/** devs passes their arguments on; the tests with real agents compare them with the agents' own help. */
const AGENTS = ['claude', 'codex', 'gemini', 'opencode'];
const GROUPS = ['task', 'workflow', 'debug'];

const commands = listPages().flatMap((path) =>
  documentedCommands(relative(repoRoot, path), readFileSync(path, 'utf8')).flatMap((command) => {
    const args = argumentsOf(command, 'devs');
    return args === undefined || args.some((word) => AGENTS.includes(word)) ? [] : [{ ...command, args }];
  }),
);

/** `task add` of `task add Fix the login --after x`; nothing for the overview. */
function commandName(args: readonly string[]): string[] {
  const [first = '', second = ''] = args;
  if (first === '' || first.startsWith('-')) return [];
  return GROUPS.includes(first) ? [first, second] : [first];
}

describe('the commands in the documentation', () => {
  const helps = new Map<string, Promise<{ code: number; output: string }>>();
  const helpOf = (name: readonly string[]) => {
    const key = name.join(' ');
    const help = helps.get(key) ?? capture(process.execPath, [DEVS, ...name, '--help']);
    helps.set(key, help);
    return help;
  };

  it('are found', () => {
    expect(commands.length).toBeGreaterThan(30);
  });

  it.each([...new Set(commands.map(({ args }) => commandName(args).join(' ')))])(
    'devs %s exists, with every option that a page gives it',
    async (key) => {
      const name = key.split(' ').filter((word) => word !== '');
      const { code, output } = await helpOf(name);
      const uses = commands.filter(({ args }) => commandName(args).join(' ') === key);

      expect(code, output).toBe(0);
      const known = new Set(output.match(/(?<![\w-])--?[a-z][\w-]*/gi));
      for (const { file, line, args } of uses) {
        expect({ file, line, unknown: optionsAmong(args).filter((option) => !known.has(option)) }).toEqual({
          file,
          line,
          unknown: [],
        });
      }
    },
  );

  it('about tasks can be typed one after another, as the README has them', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-readme-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const project = join(folder, 'shop');
    mkdirSync(project);
    await capture('git', ['init', '--quiet', project]);
    const env = { ...process.env, HOME: folder, XDG_STATE_HOME: join(folder, 'state') };
    const typed = commands.filter(({ file, args }) => file === 'README.md' && args[0] === 'task');

    expect(typed.length).toBeGreaterThanOrEqual(4);
    for (const { args } of typed) {
      expect(await capture(process.execPath, [DEVS, ...args], { cwd: project, env })).toMatchObject({ code: 0 });
    }
  });
});

describe('documentedCommands', () => {
  it.each([
    {
      text: '```sh\nnpx devs task add "Fix it" --after a # why\n```',
      words: [['npx', 'devs', 'task', 'add', 'Fix it', '--after', 'a']],
    },
    {
      text: "```sh\ndevs run --set checks='[[npm, test]]'\n\n# only a comment\n```",
      words: [['devs', 'run', '--set', "checks='[[npm,", "test]]'"]],
    },
    { text: '```ts\ndevs run\n```\ndevs run', words: [] },
  ])('reads $words from $text', ({ text, words }) => {
    expect(documentedCommands('a.md', text).map((command) => command.words)).toEqual(words);
  });

  it('knows what is an option of devs, and what it passes on', () => {
    expect(optionsAmong(['run', '--merge', '--lease=2h', '--', '--theirs'])).toEqual(['--merge', '--lease']);
  });
});
