import { describe, expect, it } from 'vitest';
import type { Services } from '../compose.js';
import { run } from '../run.js';
import { plainPalette } from '../screen/palette.js';

/** The program without a process: what it prints, and its exit code. */
async function runHere(argv: readonly string[], changes: Partial<Services> = {}) {
  let stdout = '';
  let stderr = '';
  const exitCode = await run(argv, {
    version: '1.2.3',
    screen: { columns: 80, palette: plainPalette },
    print: (text) => {
      stdout += `${text}\n`;
    },
    complain: (text) => {
      stderr += `${text}\n`;
    },
    readText: async () => '{}',
    createReporter: () => () => {},
    scriptedModel: { complete: () => Promise.reject(new Error('no line')) },
    ...changes,
  });
  return { exitCode, stdout, stderr };
}

describe('help', () => {
  it.each([[[]], [['--help']], [['help']]])('of %j lists what works and nothing else', async (argv) => {
    const { exitCode, stdout, stderr } = await runHere(argv);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const listed = /Commands:\n([\s\S]*?)\n\n/.exec(stdout)?.[1]?.split('\n');
    expect(listed?.map((line) => line.trim().split('  ')[0])).toEqual(['debug protocol', 'debug detect [file]']);
  });

  it.each([[['debug']], [['debug', '--help']], [['debug', 'protocol', '--help']], [['debug', 'detect', '--help']]])(
    'of %j has an example and fits on the screen',
    async (argv) => {
      const { exitCode, stdout } = await runHere(argv);

      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/Examples?:\n {2}devs debug/);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );
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
  it('is for a show that does not hold, and says where', async () => {
    const { exitCode, stderr } = await runHere(['debug', 'protocol']);

    expect(exitCode).toBe(1);
    expect(stderr).toContain('devs: turn 1: the turn was given up: no line\n');
  });

  it('is for what nobody expected, and asks for a report', async () => {
    const { exitCode, stdout, stderr } = await runHere(['debug', 'detect'], {
      readText: () => Promise.reject(new TypeError('not this')),
    });

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^devs: this is a mistake in devs, please report it\.\nTypeError: not this\n/);
  });
});
