import { describe, expect, it } from 'vitest';
import type { Composed } from '../compose.js';
import { createWorld } from './run-here.js';

const runHere = (argv: readonly string[], changes: Partial<Composed> = {}) => createWorld(changes).devs(argv);

const COMMANDS = [
  'init',
  'run [request…]',
  'worker',
  'machines',
  'ls',
  'logs [run]',
  'answer [question] [answer…]',
  'diff [run]',
  'merge [run]',
  'report [run]',
  'config [key]',
  'status',
  'up',
  'ui',
  'down',
  'gemini [args…]',
  'claude [args…]',
  'codex [args…]',
  'opencode [args…]',
  'attach [name]',
  'interrupt <name> [text…]',
  'send <name> <text…>',
  'stop <name>',
  'resume <name>',
  'renew <name>',
  'task add <intent…>',
  'task list',
  'task show <id>',
  'task start [id]',
  'task done <id>',
  'task fail <id>',
  'task block <id>',
  'task unblock <id>',
  'task retry <id>',
  'task release <id>',
  'task remove <id>',
  'task import <file>',
  'workflow list',
  'workflow show <workflow>',
  'workflow check [workflow…]',
  'workflow graph <workflow>',
  'workflow new <name>',
  'handoff [build]',
  'recall <words…>',
  'log',
  'mcp',
  'hook <agent>',
  'acp',
  'codex-server',
  'stream-json',
  'doctor',
  'archive',
  'purge',
  'completion <shell>',
  'debug state',
  'debug prompt <task>',
  'debug verify',
  'debug export [file]',
  'debug import <file>',
  'debug session-state [file]',
  'debug protocol',
  'debug detect [file]',
  'debug transcript <file>',
  'debug model-server',
  'agent [prompt…]',
];

/** devs itself starts them, in the terminal of an agent. */
const HOLDERS = ['acp', 'codex-server', 'stream-json'];

describe('help', () => {
  it.each([[['--help']], [['help']]])(
    'of %j describes eight commands, and names every other command that people type',
    async (argv) => {
      const { exitCode, stdout, stderr } = await runHere(argv);

      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      const described = /Commands:\n([\s\S]*?)\n\n/.exec(stdout)?.[1]?.split('\n') ?? [];
      const named = /More .*:\n([\s\S]*?)\n\n/.exec(stdout)?.[1]?.split('\n') ?? [];
      const first = described.map((line) => line.trim().split(' ')[0]);
      const others = named.flatMap((line) => line.trim().split(/ {2,}/)[1]?.split(' · ') ?? []);
      expect(first).toHaveLength(8);
      const typed = COMMANDS.map((command) => command.split(' ')[0] ?? '').filter((name) => !HOLDERS.includes(name));
      expect([...first, ...others].sort()).toEqual([...new Set(typed)].sort());
    },
  );

  it('of devs where it was never used says three things to type', async () => {
    const { exitCode, stdout } = await runHere([]);
    expect([exitCode, stdout.match(/^ {2}devs /gm)]).toEqual([0, ['  devs ', '  devs ', '  devs ']]);
  });

  const groups = ['task', 'workflow', 'debug'].flatMap((group) => [[group], [group, '--help']]);
  const names = COMMANDS.map((command) => command.replace(/ [<[].*/, ''));
  /** Arguments after them belong to the agent, `--help` too. */
  const agents = ['claude', 'codex', 'opencode', 'gemini'];
  const leaves = names.map((name) => (agents.includes(name) ? ['help', name] : [...name.split(' '), '--help']));
  /** They put the user in front of a terminal, and print nothing. */
  const interactive = [...agents, ...HOLDERS, 'agent', 'attach', 'resume'];
  it.each([...groups, ...leaves].map((argv) => [argv]))('of %j has an example and fits on the screen', async (argv) => {
    const { exitCode, stdout } = await runHere(argv);

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Examples?:\n {2}.*devs /);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  /** They print what other programs read as it is. */
  const plain = ['completion'];
  const printing = leaves.filter((argv) => !argv.some((word) => [...interactive, ...plain].includes(word)));
  it.each(printing.map((argv) => [argv]))('of %j offers JSON', async (argv) => {
    expect((await runHere(argv)).stdout).toContain('--json');
  });
});

describe('wrong usage', () => {
  it.each([
    { argv: ['debgu'], says: 'Did you mean `devs debug`?' },
    { argv: ['detect', '--json'], says: 'Did you mean `devs debug detect`?' },
    { argv: ['debug', 'detct'], says: 'Did you mean `devs debug detect`?' },
    { argv: ['xyzzy'], says: 'Run `devs --help`' },
    { argv: ['--nope'], says: "unknown option '--nope'" },
    { argv: ['debug', 'protocol', '--jsn'], says: 'Did you mean --json?' },
    { argv: ['debug', 'protocol', 'more'], says: 'Run `devs debug protocol --help`' },
    { argv: ['debug', 'detect', 'a', 'b'], says: 'Run `devs debug detect --help`' },
    { argv: ['debug', 'detect', '--stop-reason'], says: 'argument missing' },
  ])('$argv is answered with what to do', async ({ argv, says }) => {
    const { exitCode, stdout, stderr } = await runHere(argv);

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(/^devs: /);
    expect(stderr).toContain(says);
  });
});

describe('exit code 1', () => {
  it('is for unexpected errors, and asks for a report', async () => {
    const { exitCode, stdout, stderr } = await runHere(['debug', 'detect'], {
      readText: () => Promise.reject(new TypeError('not this')),
    });

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^devs: this is a mistake in devs, please report it\.\nTypeError: not this\n/);
  });
});
