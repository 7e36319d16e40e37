import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SILENT_ADDRESS } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { endTurn, envelope, isIdle, openBuiltinWorld, type Rule } from './builtin-world.js';
import { startProvider } from './provider-server.js';

const observed = (tool: string) => `OBSERVATION {"tool_name":"${tool}"`;
const say = (text: string) => [{ say: text }];
/** Of all processes, where the system shows them. */
const commandLines = (): readonly string[] =>
  (existsSync('/proc') ? readdirSync('/proc') : []).flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'utf8')] : [];
    } catch {
      return []; // it has ended
    }
  });

const WRITES: readonly Rule[] = [
  { when: { prompt: observed('write_file') }, reply: say(endTurn('The parser is written.')) },
  {
    when: { prompt: 'Write the parser' },
    reply: say(envelope('write_file', { path: 'parser.ts', content: 'export {};\n' })),
  },
];
const fills = (words: string, input: number): Rule => ({
  when: { prompt: words },
  reply: [{ usage: { input, output: 10 } }, { say: endTurn('Full.') }],
});

describe('the built-in agent under supervision', () => {
  it('takes its first prompt, works on it, and is idle again', async () => {
    const world = await openBuiltinWorld(WRITES);
    const terminal = await world.supervise(['--permissions', 'allow', '--', 'Write the parser']);
    await world.until('written', () => existsSync(join(world.project, 'parser.ts')));
    await world.until('answered', () => world.of('answer').length === 1);
    await world.until('idle', isIdle(terminal));

    expect(world.of('request').map(({ text }) => text)).toEqual(['Write the parser']);
    expect(world.of('answer')).toMatchObject([{ tool: 'write_file', status: 'ok' }]);
    await world.until('its own word', () => terminal.status().state?.evidence.source === 'status-file');
    expect(world.events.filter(({ type }) => type === 'signal.missed')).toEqual([]);
  });

  it('takes prompts of any number of lines, and its pressure is what the model said of the last call', async () => {
    const world = await openBuiltinWorld([fills('Take in', 31_000)]);
    const terminal = await world.supervise();
    await world.say(terminal, `Take in\n${'a long line of text that goes on and on. '.repeat(5)}\n\tand another`);

    await world.until('it is measured', () => terminal.status().usage !== undefined);
    expect(terminal.status()).toMatchObject({ usage: { usedTokens: 31_000, windowTokens: 100_000 }, pressure: 0.31 });
  });

  it('[H13] waits, and is not idle, while it asks for a permission', async () => {
    const world = await openBuiltinWorld([
      { when: { prompt: observed('run_command') }, reply: say(endTurn('That is its version.')) },
      { when: { prompt: 'Which node' }, reply: say(envelope('run_command', { command: ['node', '--version'] })) },
    ]);
    const terminal = await world.supervise(['--permissions', 'ask'], {
      answers: [{ question: /Allow run_command node/, keys: 'y' }],
    });
    await world.until('idle', isIdle(terminal));
    await terminal.send('Which node is it?');
    await world.until('answered', () => world.of('answer').length === 1);
    await world.until('idle', isIdle(terminal));

    const said = world.events.flatMap((event) =>
      event.type === 'signal.seen' && event.source === 'status-file' ? [event.says] : [],
    );
    expect(said).toContain('waiting');
    expect(world.of('answer')).toMatchObject([{ status: 'ok', output: expect.stringContaining(process.version) }]);
  });

  it('needs its user where the key was refused, and says so, not that it waits for a permission', async () => {
    const world = await openBuiltinWorld([]);
    const server = await startProvider({ refuses: { status: 401, message: 'invalid x-api-key' } });
    const userArgs = ['--provider', 'anthropic', '--base-url', server.url, '--model', 'm', '--', 'Go'];
    const terminal = await world.supervise([], { launch: { userArgs } });

    await world.until('it needs its user', () => terminal.status().needs !== undefined);
    expect(terminal.status().needs).toMatchObject({
      kind: 'escalation',
      detail: expect.stringContaining('The API key was refused (401). Put a valid key into ANTHROPIC_API_KEY'),
    });
  });

  it('waits for a server that cannot be reached, and names it', async () => {
    const world = await openBuiltinWorld([]);
    const url = `http://${SILENT_ADDRESS}`;
    const userArgs = ['--base-url', url, '--model', 'm', '--', 'Go'];
    await world.supervise([], { launch: { userArgs } });

    await world.until('it is parked', () => world.notices.some(({ kind }) => kind === 'parked'));
    expect(world.notices.find(({ kind }) => kind === 'parked')).toMatchObject({
      why: `${url} cannot be reached: connection refused (ECONNREFUSED)`,
    });
  });

  it('compacts and clears when it is told to, and its records prove it', async () => {
    const world = await openBuiltinWorld([...WRITES, fills('Fill it', 40_000)]);
    const terminal = await world.supervise();
    await world.say(terminal, 'Write the parser');
    await world.say(terminal, 'Fill it');
    expect(await terminal.contextAction('compact')).toMatchObject({ kind: 'acknowledged' });
    await world.until('the pressure is lower', () => terminal.status().pressure < 0.1);
    expect(world.of('compaction')).toMatchObject([
      { trigger: 'manual', summary: expect.stringContaining('parser.ts') },
    ]);

    const before = terminal.status().conversationId;
    expect(await terminal.contextAction('clear')).toMatchObject({ kind: 'acknowledged' });
    await world.until('another conversation', () => terminal.status().conversationId !== before);
    await world.say(terminal, 'Write the parser');
    const [, second] = world.of('conversation');
    expect(terminal.status().conversationId).toBe(second?.id);
  });

  it('is interrupted in the middle of a command, which is gone, and gets the words instead', async () => {
    const world = await openBuiltinWorld([
      { when: { prompt: 'Sleep' }, reply: say(envelope('run_command', { command: ['sleep', '600.25'] })), times: 1 },
    ]);
    const terminal = await world.supervise(['--permissions', 'allow']);
    await world.until('idle', isIdle(terminal));
    await terminal.send('Sleep for long');
    await world.until('it sleeps', () => world.of('call').length === 1);
    expect(await terminal.interrupt('Say hello')).toMatchObject({ kind: 'seen', told: { kind: 'delivered' } });
    await world.until('told', () => world.of('request').some(({ text }) => text === 'Say hello'));
    await world.until('the command is gone', () => !commandLines().some((line) => line.includes('600.25')));
  });

  it('continues its own conversation after kill -9, and reports a call with an unknown outcome', async () => {
    const world = await openBuiltinWorld([
      { when: { prompt: 'Sleep' }, reply: say(envelope('run_command', { command: ['sleep', '600'] })) },
    ]);
    const terminal = await world.supervise();
    await world.until('idle', isIdle(terminal));
    await terminal.send('Sleep for long');
    await world.until('it sleeps', () => world.of('call').length === 1);
    const [file] = statusFiles(world.agentHome);
    process.kill(Number(file), 'SIGKILL');

    await world.until('resumed', () => world.of('conversation').length === 2);
    await world.until('idle', isIdle(terminal));
    const ids = new Set(world.of('conversation').map(({ id }) => id));
    expect(ids.size).toBe(1);
    expect(world.of('answer')).toMatchObject([
      { status: 'error', errorDetail: expect.stringContaining('interrupted') },
    ]);
    expect(world.notices.map(({ kind }) => kind)).toContain('resumed');
  });

  it('is renewed at the firm mark, from its records, and the fresh one takes up the work', async () => {
    const world = await openBuiltinWorld([...WRITES, fills('Fill it', 70_000)]);
    const terminal = await world.supervise();
    await world.say(terminal, 'Write the parser');
    expect(await terminal.send('Fill it')).toMatchObject({ kind: 'delivered' });
    await world.until('renewed', () => terminal.status().contextRefreshCount === 1);
    await world.until('idle', isIdle(terminal));

    const conversations = world.of('conversation').map(({ id }) => id);
    expect(new Set(conversations).size).toBe(2);
    expect(terminal.status().conversationId).toBe(conversations.at(-1));
    expect(terminal.status().pressure).toBeLessThan(0.2);
    expect(readFileSync(join(world.project, 'parser.ts'), 'utf8')).toBe('export {};\n');
  });

  it('tells of re-injected specs, resumed and corrected answers as they happen', async () => {
    const whole = endTurn('Done after all of this.');
    const world = await openBuiltinWorld([
      { when: { prompt: 'Cut off' }, reply: [{ say: whole }, { cut: 150 }] },
      { when: { prompt: 'Malformed' }, reply: say('{"thought":"I forgot the form"}') },
      { when: { prompt: 'is not a valid SAOP envelope' }, reply: say(whole) },
      { when: { conversation: 'Cut off' }, reply: say(whole.slice(150)), times: 1 },
    ]);
    const terminal = await world.supervise([
      '--permissions',
      'allow',
      '--specs-tas',
      specFile(world),
      '--reinject-every',
      '1',
    ]);
    await world.say(terminal, 'Cut off');
    await world.say(terminal, 'Malformed');
    await world.say(terminal, 'One more');

    const told = world.events.flatMap((event) => (event.type === 'protocol.observed' ? [event] : []));
    expect(told.map(({ what }) => what)).toEqual(expect.arrayContaining(['resumed', 'corrected', 're-injected']));
    expect(told.find(({ what }) => what === 're-injected')?.tokens).toBeGreaterThan(0);
  });
});

/** The processes that say that they run. */
const statusFiles = (home: string) => readdirSync(join(home, 'running')).map((name) => name.replace('.json', ''));

function specFile({ project }: { readonly project: string }): string {
  const path = join(project, 'tas.md');
  writeFileSync(path, '# TAS\n\n## Summary\nEverything is a parser.\n');
  return path;
}
