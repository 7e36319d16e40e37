import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openStore } from '@devs/core';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { openSqliteBackend } from '@devs/store';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type Answer,
  type Connection,
  connectDevs,
  FIRST,
  nextRequest,
  type Request,
  runThrough,
  WORKFLOW,
} from './mcp-agent.js';

function createPlace() {
  const worktree = realpathSync(mkdtempSync(join(tmpdir(), 'devs-mcp-')));
  onTestFinished(() => rmSync(worktree, { recursive: true, force: true, maxRetries: 3 }));
  const workflow = join(worktree, 'workflow.yaml');
  writeFileSync(workflow, WORKFLOW);
  const file = join(worktree, 'state.db');
  const args = [
    '--worktree',
    worktree,
    '--workflow-path',
    workflow,
    '--repo-root',
    worktree,
    '--store',
    `sqlite:${file}`,
  ];

  /** Events of the run, without context actions. */
  async function history(kind: RegExp): Promise<readonly string[]> {
    const backend = openSqliteBackend({ file, now: Date.now });
    const store = openStore({ backend, clock: { now: Date.now }, newId: () => '' });
    const events = (await store.log.read()).filter(({ stream, type }) => stream.startsWith('run:') && kind.test(type));
    await store.close();
    return events.map(({ type, data }) => `${type} ${String(data['visit'] ?? '')}`.trim());
  }
  return { worktree, file, args, history };
}

const WORK = /^(workflow|step|tasks)\./;
const asks = (answers: readonly Answer[]) => answers.flatMap(({ contextAction }) => contextAction ?? []);

describe('devs mcp', () => {
  it.each(['2.x', '1.x'] as const)('leads a %s client through a whole workflow', async (version) => {
    const { worktree, args } = createPlace();
    const connection = await connectDevs(args, version);
    const answers = await runThrough(connection);
    await connection.close();
    expect(asks(answers)).toEqual(['/compact', '/compact', '/compact', '/compact', '/clear']);
    expect(answers.at(-1)).toMatchObject({ status: 'complete', step: 'review' });
    expect(JSON.parse(readFileSync(join(worktree, 'workflow-state.json'), 'utf8'))).toMatchObject({
      status: 'complete',
      summary: 'Everything',
      tasks: {
        build: [
          { id: 'a', status: 'done' },
          { id: 'b', status: 'failed' },
          { id: 'c', status: 'failed' },
        ],
      },
    });
  });

  it('leaves nothing in a folder where it is only listed, and makes the store when a tool needs it', async () => {
    const { worktree, file, args } = createPlace();
    const listed = await connectDevs(args);
    await listed.close();
    expect(readdirSync(worktree)).toEqual(['workflow.yaml']);
    const used = await connectDevs(args);
    await used.call({ name: 'workflow_start', arguments: {} });
    await used.close();
    expect(existsSync(file)).toBe(true);
  });

  it('finds messages of an earlier conversation of the project', { tags: 'long' }, async () => {
    const { worktree, args } = createPlace();
    const home = join(worktree, 'home');
    const transcripts = join(home, '.claude', 'projects', worktree.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(transcripts, { recursive: true });
    const said = { type: 'user', sessionId: 'c-1', cwd: worktree, message: { content: 'Use the flag retryBudget=7' } };
    writeFileSync(join(transcripts, 'c-1.jsonl'), `${JSON.stringify(said)}\n`);
    const connection = await connectDevs(args, '2.x', { HOME: home, PATH: process.env['PATH'] ?? '' });
    const answer = await connection.call({ name: 'recall', arguments: { query: 'budget' } });
    await connection.close();
    expect(answer).toMatchObject({
      conversations: 1,
      results: [{ kind: 'request', text: 'Use the flag retryBudget=7', agent: 'claude' }],
    });
  });

  it('[W3] [W10] skips nothing and does nothing twice when it is killed again and again', {
    tags: 'long',
    timeout: 0,
  }, async () => {
    const random = createRandom(seed());
    const whole = createPlace();
    const undisturbed = await connectDevs(whole.args);
    await runThrough(undisturbed);
    await undisturbed.close();
    const expected = await whole.history(WORK);
    for (let round = 0; round < rounds(2); round++) {
      const { args, history } = createPlace();
      let connection: Connection = await connectDevs(args);
      let kills = 0;
      for (let request: Request | undefined = FIRST; request !== undefined; ) {
        const isKilled = kills < 8 && random.chance(0.4);
        const answering = connection.call(request);
        if (isKilled) {
          kills++;
          void sleep(random.below(12)).then(() => process.kill(connection.pid, 'SIGKILL'));
        }
        const answer: Answer | undefined = await answering.catch(() => undefined);
        if (isKilled) {
          await connection.close().catch(() => {});
          connection = await connectDevs(args);
        }
        if (answer !== undefined) request = nextRequest(answer);
      }
      await connection.close();
      expect(await history(WORK)).toEqual(expected);
    }
  });

  it('[W5] keeps two servers on one worktree consistent', { tags: 'long' }, async () => {
    const { args, history } = createPlace();
    const servers = await Promise.all([connectDevs(args), connectDevs(args)]);
    let turn = 0;
    const answers = await runThrough({ call: (request) => (servers[turn++ % 2] ?? servers[0]).call(request) });
    await Promise.all(servers.map((server) => server.close()));
    expect(answers.at(-1)).toMatchObject({ status: 'complete' });
    expect((await history(/^step\./)).length).toBe(12);
  });
});

describe('devs mcp with a supervisor in another process', () => {
  const program = fileURLToPath(new URL('programs/fake-supervisor.mjs', import.meta.url));

  async function supervise(manner: string) {
    const { file, args, history } = createPlace();
    const connection = await connectDevs(args);
    const child = spawn(process.execPath, [program, file, manner], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const first = await connection.call(FIRST);
    expect((await lines.next()).value).toBe('holds');
    const answers = [first];
    let waits = 0;
    for (let request = nextRequest(first); request !== undefined; ) {
      const answer = await connection.call(request);
      if (answer['performedBy'] !== undefined) {
        waits++;
        await sleep(10); // the agent's turn is over; the supervisor sends it on when it has performed
      }
      answers.push(answer);
      request = nextRequest(answer);
    }
    child.kill();
    const performed: string[] = [];
    for await (const line of { [Symbol.asyncIterator]: () => lines }) performed.push(line);
    if (child.exitCode === null) await once(child, 'exit');
    await connection.close();
    return { answers, performed, waits, context: await history(/^context-action\./), work: await history(WORK) };
  }

  it('[W2] continues once each action was observed, and performs each once', async () => {
    const { answers, performed, context, waits } = await supervise('attentive');
    expect(answers.at(-1)).toMatchObject({ status: 'complete' });
    expect(performed.map((line) => line.replace(/ \d+ /, ' '))).toEqual([
      'compact command',
      'compact command',
      'compact command',
      'compact command',
      'clear command',
    ]);
    expect(waits).toBeGreaterThanOrEqual(5);
    expect(context.filter((event) => event.startsWith('context-action.asked'))).toEqual([]);
    expect(context.length).toBe(15);
  });

  it('[W2] tries once more when nothing was seen in time', { tags: 'long' }, async () => {
    const { performed, context } = await supervise('deaf');
    expect(performed).toHaveLength(10);
    expect(context.filter((event) => event.startsWith('context-action.observed'))).toHaveLength(5);
  });

  it('[W2] gives up what is never seen, starts a new process where the conversation had to be cleared, and says so', {
    tags: 'long',
  }, async () => {
    const { answers, performed, context } = await supervise('blind');
    expect(performed.filter((line) => line.startsWith('clear')).map((line) => line.split(' ')[2])).toEqual([
      'command',
      'command',
      'new-process',
    ]);
    expect(context.filter((event) => event.startsWith('context-action.abandoned'))).toHaveLength(5);
    expect(answers.flatMap(({ notices }) => (notices as string[] | undefined) ?? [])).toContain(
      'The context action of this step was given up: /compact was tried 2 times and never seen to happen',
    );
    expect(answers.at(-1)).toMatchObject({ status: 'complete' });
  });
});
