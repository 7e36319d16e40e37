import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readHostRecord } from '../../host/host-record.js';
import { createFrameDecoder, encodeControl, encodeInput } from '../../protocol/frames.js';
import { PROTOCOL_VERSION } from '../../protocol/messages.js';
import { endHost, fixtureAgent, openTestHost, watchText } from '../../testing/index.js';
import { parseCeiling, readCeiling } from '../ceiling.js';
import { issueChallenge, meetChallenge } from '../challenge.js';
import { seatIn, seatOf } from '../seat.js';

const CALLER = fileURLToPath(new URL('./caller.mjs', import.meta.url));

/** A host with a terminal that has a dialog open, as handle 1. */
async function hostWithOther() {
  const test = await openTestHost();
  onTestFinished(test.dispose);
  await test.spawn({ terminalId: 'other', ...fixtureAgent('answers') });
  const screen = await watchText(test.host, 'other');
  await screen.until('> ');
  return { ...test, screen };
}

async function callFromInside({ folder, spawn }: Awaited<ReturnType<typeof hostWithOther>>, manner: string) {
  const result = join(folder, 'result.json');
  await spawn({ terminalId: 'mine', file: process.execPath, args: [CALLER, folder, result, manner] });
  while (!existsSync(result)) await pause(20);
  return JSON.parse(readFileSync(result, 'utf8'));
}

/** Speaks the protocol by hand, as a program does that keeps to no rules. */
function openRawClient(folder: string) {
  const socket = createConnection(join(folder, 'host.sock'));
  onTestFinished(() => void socket.destroy());
  const answers: { answer: number; refusal?: string; result?: { challenge?: string } }[] = [];
  const decode = createFrameDecoder((frame) => {
    if (frame.kind === 'control') answers.push(JSON.parse(frame.json));
  });
  socket.on('data', decode);
  return async (request: number, frame: Buffer) => {
    socket.write(frame);
    for (;;) {
      const found = answers.find(({ answer }) => answer === request);
      if (found !== undefined) return found;
      await pause(5);
    }
  };
}

const ask = (request: number, method: string, params: object = {}) => encodeControl({ request, method, params });

describe('the host', () => {
  it('[S10] shows a caller in a hosted terminal its own terminal and refuses everything else', async () => {
    const test = await hostWithOther();
    const report = await callFromInside(test, 'plain');

    expect(report.list).toEqual({ done: ['mine'] });
    expect(report.write.refused).toContain('inside of the terminal mine');
    expect(report.watch.refused).toContain('only its own status is open');
    expect(report.end.refused).toContain('only its own status is open');
    expect(report.spawn).toMatchObject({ kind: 'refused', refusal: 'not-allowed' });
    expect(test.screen.text).not.toContain('y\r');
    expect((await test.host.list()).map(({ terminalId }) => terminalId).sort()).toEqual(['mine', 'other']);
  });

  it('[S10] knows a caller that has dropped its environment, session, group and parents', async (context) => {
    const test = await hostWithOther();
    if (readHostRecord(test.folder)?.ceiling === undefined) return context.skip('needs Linux and `prlimit`');
    const report = await callFromInside(test, 'orphan');

    expect(report.list).toEqual({ done: [] });
    expect(report.write.refused).toContain('inside of a terminal of devs');
    expect(report.end.refused).toContain('inside of a terminal of devs');
    expect(report.spawn).toMatchObject({ kind: 'refused', refusal: 'not-allowed' });
  });

  it('[S10] refuses a caller that does not say which process it is', async () => {
    const { folder, screen } = await hostWithOther();
    const send = openRawClient(folder);
    await send(1, ask(1, 'hello', { protocol: PROTOCOL_VERSION }));

    expect(await send(2, ask(2, 'list'))).toMatchObject({ refusal: 'not-allowed' });
    expect(await send(3, encodeInput(3, 1, Buffer.from('y\r')))).toMatchObject({ refusal: 'not-allowed' });
    expect(screen.text).not.toContain('y\r');
  });

  it('[S10] refuses a caller that names another process than its own', async (context) => {
    if (process.platform !== 'linux') return context.skip('only Linux shows what a process holds open');
    const { folder } = await hostWithOther();
    const send = openRawClient(folder);
    const { result } = await send(1, ask(1, 'hello', { protocol: PROTOCOL_VERSION }));

    expect(result?.challenge).toMatch(/^proof-/);
    expect(await send(2, ask(2, 'prove', { pid: process.ppid }))).toMatchObject({ refusal: 'not-allowed' });
    expect(await send(3, ask(3, 'list'))).toMatchObject({ refusal: 'not-allowed' });
  });

  it('leaves no challenge behind', async () => {
    const { folder, connectAgain } = await hostWithOther();
    (await connectAgain()).close();
    expect(readdirSync(folder).filter((name) => name.startsWith('proof-'))).toEqual([]);
  });

  it('serves callers in the terminal that it was itself started in', async () => {
    const test = await hostWithOther();
    const nested = join(test.folder, 'n');
    onTestFinished(() => endHost(nested)); // runs before the outer host is ended
    const result = join(test.folder, 'nested.json');
    await test.spawn({ terminalId: 'mine', file: process.execPath, args: [CALLER, nested, result, 'plain'] });
    while (!existsSync(result)) await pause(20);

    expect(JSON.parse(readFileSync(result, 'utf8')).spawn).toMatchObject({ kind: 'spawned' });
  });
});

describe('a challenge', () => {
  it('is met by the process that holds it open, and by no other', (context) => {
    if (process.platform !== 'linux') return context.skip('only Linux shows what a process holds open');
    const folder = tmpdir();
    const challenge = issueChallenge(folder);
    onTestFinished(challenge.close);

    expect(challenge.isMetBy(process.pid)).toBe(false);
    const proof = meetChallenge(folder, challenge.name);
    expect(challenge.isMetBy(process.pid)).toBe(true);
    expect(challenge.isMetBy(process.ppid)).toBe(false);
    proof.close();
    expect(challenge.isMetBy(process.pid)).toBe(false);
  });

  it.each(['../host.json', '/etc/passwd', 'proof-1', `proof-${'0'.repeat(32)}/x`])('is not %s', (name) => {
    expect(() => meetChallenge('/tmp', name)).toThrow('not a challenge');
  });
});

describe('a seat', () => {
  const nowhere = { origin: [], terminals: [] };
  const terminal = { terminalId: 'a', mark: 'i/a/1', file: 'sh', started: 'now' };

  it('is outside where no sign speaks against it, and where no host has run', () => {
    expect(seatOf(process.pid, { ...nowhere, origin: [...marksHere()] })).toEqual({ kind: 'outside' });
    expect(seatIn('/nonexistent')).toEqual({ kind: 'outside' });
  });

  it('is inside by a parent that is an agent', () => {
    const landmarks = { ...nowhere, terminals: [{ ...terminal, pid: process.ppid }] };
    expect(seatOf(process.pid, landmarks)).toEqual({ kind: 'inside', terminalId: 'a' });
  });

  it("is inside when its limit is not above the host's", (context) => {
    const own = readCeiling(process.pid);
    if (own === undefined) return context.skip('needs Linux');
    expect(seatOf(process.pid, { ...nowhere, ceiling: own })).toEqual({ kind: 'inside', terminalId: undefined });
  });

  it('is inside where the process is gone', (context) => {
    if (process.platform !== 'linux') return context.skip('needs Linux');
    const pid = Number(execFileSync('sh', ['-c', 'echo $$'], { encoding: 'utf8' }));
    expect(seatOf(pid, { ...nowhere, ceiling: 5 })).toEqual({ kind: 'inside', terminalId: undefined });
  });

  it.each([
    ['Max file locks            unlimited            unlimited            locks', Number.POSITIVE_INFINITY],
    ['Max cpu time 1 2 s\nMax file locks            7                    12                   locks', 12],
    ['', undefined],
  ])('reads the limit in %j', (text, expected) => expect(parseCeiling(text)).toBe(expected));
});

/** Of a terminal of devs in which these tests may run. */
const marksHere = () => (process.env.DEVS_TERMINAL_MARK === undefined ? [] : [process.env.DEVS_TERMINAL_MARK]);
