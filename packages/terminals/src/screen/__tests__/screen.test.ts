import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type Random, rounds, seed, until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectHost } from '../../client/connect-host.js';
import type { TerminalHost } from '../../terminal-host.js';
import { fixtureAgent, openTestHost, watchText } from '../../testing/index.js';
import { createScreen, restoreScreen } from '../create-screen.js';
import { openScreen } from '../open-screen.js';
import { createSequenceTracker } from '../sequence-tracker.js';

async function testHost() {
  const test = await openTestHost();
  onTestFinished(test.dispose);
  return test;
}

const write = (screen: ReturnType<typeof createScreen>, text: string) => screen.write(Buffer.from(text));

describe('a screen', () => {
  it('shows printed text, with wrapped rows joined', async () => {
    const screen = createScreen({ columns: 10, rows: 4 });
    await write(screen, 'a line of more than ten\r\nnext \u001b[31mred\u001b[0m');
    expect(screen.view()).toEqual({
      columns: 10,
      rows: ['a line of ', 'more than ', 'ten', 'next red'],
      lines: ['a line of more than ten', 'next red'],
      cursor: { row: 3, column: 8 },
      title: '',
      bracketedPaste: false,
      alternateScreen: false,
    });
    await write(screen, '\r\nand more');
    expect(screen.view().lines).toEqual(['more than ten', 'next red', 'and more']);
    expect(screen.text()).toBe('a line of more than ten\nnext red\nand more');
  });

  it('knows the modes and the title', async () => {
    const screen = createScreen({ columns: 20, rows: 3 });
    await write(screen, '\u001b[?2004h\u001b[?1049h\u001b]0;✳ Claude Code\u0007');
    expect(screen.view()).toMatchObject({ bracketedPaste: true, alternateScreen: true, title: '✳ Claude Code' });
    await write(screen, '\u001b[?2004l\u001b[?1049l');
    expect(screen.view()).toMatchObject({ bracketedPaste: false, alternateScreen: false });
  });

  it('is bounded', async () => {
    const screen = createScreen({ columns: 20, rows: 3, scrollback: 10 });
    await write(screen, Array.from({ length: 500 }, (_, line) => `line ${line}`).join('\r\n'));
    expect(screen.text().split('\n')).toHaveLength(13);
    expect(screen.text()).toContain('line 499');
  });

  it("answers a program's queries", async () => {
    const screen = createScreen({ columns: 20, rows: 3 });
    const answers: string[] = [];
    const stop = screen.onReply((answer) => answers.push(answer));
    await write(screen, 'abc\u001b[6n');
    stop();
    await write(screen, '\u001b[6n');
    expect(answers).toEqual(['\u001b[1;4R']);
  });

  it('saved and restored at any moment continues unchanged', async () => {
    const random = createRandom(seed());
    let restores = 0;
    for (let round = 0; round < rounds(8, 1_250); round++) {
      const printed = Buffer.from(Array.from({ length: 40 }, () => randomOutput(random)).join(''));
      const [reference, first] = [createScreen({ columns: 40, rows: 10 }), createScreen({ columns: 40, rows: 10 })];
      const cut = random.below(printed.length);
      await reference.write(printed);
      await first.write(printed.subarray(0, cut));
      const saved = first.save();
      if (saved === undefined) continue; // in the middle of a sequence
      restores += 1;
      const second = await restoreScreen(saved);
      if (second === undefined) throw new Error('not restored');
      await second.write(printed.subarray(cut));
      expect(second.view(), `cut at ${cut} of ${JSON.stringify(printed.toString())}`).toEqual(reference.view());
    }
    expect(restores).toBeGreaterThan(0);
  });

  it('is not restored from anything else', async () => {
    expect(await restoreScreen('{"version":2}')).toBeUndefined();
    expect(await restoreScreen('nonsense')).toBeUndefined();
  });
});

const WORDS = [
  'hello ',
  'wörld ',
  '你好 ',
  '\r\n',
  'a long line that wraps somewhere ',
  '\u001b[31m',
  '\u001b[0m',
  '🙂',
];
const DRAWING = [
  '\u001b[2J\u001b[H',
  '\u001b[5;3H',
  '\u001b[K',
  '\u001b[?2004h',
  '\u001b[?2004l',
  '\u001b]2;a title\u0007',
];
const randomOutput = (random: Random) => random.pick(random.chance(0.8) ? WORDS : DRAWING);

describe('where a screen can be saved', () => {
  it.each([
    { output: 'text', atRest: true },
    { output: '\u001b', atRest: false },
    { output: '\u001b[', atRest: false },
    { output: '\u001b[31', atRest: false },
    { output: '\u001b[31m', atRest: true },
    { output: '\u001b(', atRest: false },
    { output: '\u001b(B', atRest: true },
    { output: '\u001b]2;a title', atRest: false },
    { output: '\u001b]2;a title\u0007', atRest: true },
    { output: '\u001b]2;a title\u001b', atRest: false },
    { output: '\u001b]2;a title\u001b\\', atRest: true },
    { output: '\u001b]2;a title\u001b[31', atRest: false },
    { output: '\u001b[3\u0018', atRest: true },
    { output: 'é', atRest: true },
  ])('after $output: $atRest', ({ output, atRest }) => {
    const tracker = createSequenceTracker();
    for (const byte of Buffer.from(output)) tracker.push(Uint8Array.of(byte));
    expect(tracker.atRest).toBe(atRest);
  });

  it('is not inside a character', () => {
    const tracker = createSequenceTracker();
    tracker.push(Buffer.from('🙂').subarray(0, 3));
    expect(tracker.atRest).toBe(false);
    tracker.push(Buffer.from('🙂').subarray(3));
    expect(tracker.atRest).toBe(true);
  });
});

const WAITS_FOR_A_FILE = 'while [ ! -e "$1" ]; do sleep 0.02; done; shift; exec "$@"';

describe('the screen of a hosted terminal', () => {
  it('[H16] is taken over with its scrollback and its modes, long after the ring has lost their beginning', async () => {
    const { host, folder, spawn } = await testHost();
    const script = [
      'process.stdout.write("\\x1b[?2004h\\x1b]2;the title\\x07")',
      'for (let i = 0; i < 40000; i++) console.log("line " + i)',
      'setInterval(() => {}, 1000)',
    ].join(';');
    await spawn({ terminalId: 'a', file: process.execPath, args: ['-e', script], ringBytes: 128 << 10, log: false });
    const first = await openScreen({ host, terminalId: 'a' });
    while (!first.screen.text().includes('line 39999')) await new Promise((resolve) => setTimeout(resolve, 10));
    const seen = { view: first.screen.view(), text: first.screen.text() };
    await first.close();
    host.close();

    const { host: other } = await connectHost({ folder });
    onTestFinished(() => other.close());
    const second = await openScreen({ host: other, terminalId: 'a' });
    expect(second.screen.view()).toEqual(seen.view);
    expect(second.screen.text()).toBe(seen.text);
    expect(second.screen.view()).toMatchObject({ bracketedPaste: true, title: 'the title' });
    expect(second.lostBytes).toBe(0);
  });

  it('reads from disk what memory has lost', async () => {
    const { host, spawn } = await testHost();
    const script = 'process.stdout.write("\\x1b[?2004h"); for (let i = 0; i < 40000; i++) console.log("line " + i)';
    await spawn({ terminalId: 'a', file: process.execPath, args: ['-e', script], ringBytes: 128 << 10 });
    await (await watchText(host, 'a')).exited;
    const open = () => openScreen({ host, terminalId: 'a', scrollback: 50_000 });
    await until(async () => (await open()).lostBytes === 0); // the disk is written a moment later
    const { screen } = await open();
    expect(screen.view().bracketedPaste).toBe(true);
    expect(screen.text().split('\n')).toHaveLength(40_000);
  });

  it('makes the program redraw when output is missing', async () => {
    const { host, spawn } = await testHost();
    const script = [
      'const draw = () => process.stdout.write("\\x1b[2J\\x1b[Hdrawn " + ++n)',
      'let n = 0',
      'process.stdout.on("resize", draw)',
      'process.stdout.write("x".repeat(500000))',
      'console.log("ready")',
      'setInterval(() => {}, 1000)',
    ].join(';');
    await spawn({ terminalId: 'a', file: process.execPath, args: ['-e', script], ringBytes: 128 << 10, log: false });
    await (await watchText(host, 'a')).until('ready');
    const { screen, lostBytes } = await openScreen({ host, terminalId: 'a' });
    expect(lostBytes).toBeGreaterThan(0);
    while (!/drawn \d/.test(screen.text())) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('is opened of a program that ends before it redraws', async () => {
    const { host, spawn } = await testHost();
    const script = 'process.stdout.write("x".repeat(500000)); console.log("ready"); setInterval(() => {}, 1000)';
    await spawn({ terminalId: 'a', file: process.execPath, args: ['-e', script], ringBytes: 128 << 10, log: false });
    await (await watchText(host, 'a')).until('ready');
    const endsAtResize: TerminalHost = {
      ...host,
      async resize(terminalId, size) {
        await host.end(terminalId, { graceMs: 0 });
        await host.resize(terminalId, size);
      },
    };

    const { screen, lostBytes } = await openScreen({ host: endsAtResize, terminalId: 'a' });

    expect([lostBytes > 0, screen.text().trimEnd().endsWith('ready')]).toEqual([true, true]);
  });

  it.each([
    ['in memory', {}],
    ['on disk', { ringBytes: 128 << 10 }],
  ])('has each size where it was changed, with the output %s', async (_, options) => {
    const { host, folder, spawn } = await testHost();
    await spawn({ terminalId: 'a', ...drawsRows(), columns: 60, rows: 20, ...options });
    const first = await openScreen({ host, terminalId: 'a' });
    const until = async (text: string) => {
      while (!first.screen.text().includes(text)) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await until('60x20');
    for (const [columns, rows] of [
      [30, 8],
      [50, 12],
      [24, 6],
    ] as const) {
      await host.resize('a', { columns, rows });
      await until(`${columns}x${rows}`);
    }
    await host.write(first.terminal, 'x');
    await until('end');
    const seen = first.screen.view();

    const { host: other } = await connectHost({ folder });
    onTestFinished(() => other.close());
    const late = await openScreen({ host: withoutKept(other), terminalId: 'a' });
    expect(late.lostBytes).toBe(0);
    expect(late.screen.view()).toEqual(seen);
    expect(late.screen.view()).toMatchObject({ columns: 24, rows: expect.objectContaining({ length: 6 }) });
  });

  it('answers only queries from now on, and follows a new size', async () => {
    const { host, folder, spawn } = await testHost();
    const begin = join(folder, 'begin');
    await spawn({ terminalId: 'a', ...fixtureAgent('asks-the-terminal') });
    const watched = await watchText(host, 'a');
    await watched.until('abc');
    const late = await openScreen({ host, terminalId: 'a', answersQueries: true });
    expect(watched.text).not.toContain('heard');
    await host.resize('a', { columns: 100, rows: 50 });
    while (late.screen.view().columns !== 100) await new Promise((resolve) => setTimeout(resolve, 5));

    await spawn({
      terminalId: 'b',
      file: 'sh',
      args: ['-c', WAITS_FOR_A_FILE, 'sh', begin, ...nodeCommand('asks-the-terminal')],
    });
    const other = await watchText(host, 'b');
    await openScreen({ host, terminalId: 'b', answersQueries: true });
    writeFileSync(begin, '');
    await other.until('heard "\\u001b[1;4R"');
  });

  it('of a program that prints faster than it can be drawn stays within its memory and ends right', async () => {
    const { host, spawn } = await testHost();
    await spawn({ terminalId: 'a', ...fixtureAgent('prints-a-lot', rounds(16, 60) << 20), log: false });
    const text = await new Promise<string>((resolve, reject) => {
      const opened = openScreen({
        host,
        terminalId: 'a',
        onExit: () => void opened.then(({ screen }) => resolve(screen.text()), reject),
      });
      opened.catch(reject);
    });
    expect(text.endsWith('END')).toBe(true);
  });
});

/**
 * Fills its terminal, draws the first three rows at each new size, and on a key prints more than a small memory can
 * hold.
 */
const drawsRows = () => ({
  file: process.execPath,
  args: [
    '-e',
    [
      'const { stdout, stdin } = process',
      'const row = (at) => "\\x1b[" + at + ";1H+" + "-".repeat(stdout.columns - 2) + "+"',
      'const draw = (count) => stdout.write(Array.from({ length: count }, (_, at) => row(at + 1)).join("") + "\\x1b[2;2H" + stdout.columns + "x" + stdout.rows)',
      'stdout.on("resize", () => draw(3))',
      'stdin.setRawMode(true)',
      'stdin.once("data", () => { for (let i = 0; i < 30000; i++) stdout.write("\\x1b[3;2H" + i); stdout.write("\\x1b[3;2Hend") })',
      'stdout.write("\\x1b[?1049h")',
      'draw(stdout.rows)',
    ].join(';'),
  ],
});

/** A client that finds no screen kept by another. */
const withoutKept = (host: TerminalHost): TerminalHost => ({ ...host, recall: async () => undefined });

const nodeCommand = (name: 'asks-the-terminal') => {
  const { file, args } = fixtureAgent(name);
  return [file, ...args];
};
