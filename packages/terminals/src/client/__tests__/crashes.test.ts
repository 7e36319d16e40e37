import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readHostRecord } from '../../host/host-record.js';
import { matchesMark } from '../../processes/process-mark.js';
import { createProcessTable } from '../../processes/process-table.js';
import { endHost, watchText } from '../../testing/index.js';
import { connectHost } from '../connect-host.js';
import { endLeftovers } from '../leftovers.js';

const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'devs-host-'));
  onTestFinished(async () => {
    await endHost(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return folder;
};

async function startClient(folder: string) {
  const program = fileURLToPath(new URL('./busy-client.mjs', import.meta.url));
  const child = spawn(process.execPath, [program, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

async function marked(instance: string) {
  const table = createProcessTable();
  return (await table.look()).filter((found) => matchesMark(table.belongingOf(found).mark, `${instance}/`));
}

/** `line 1`, `line 2`, … up to the cut. */
const numbersIn = (text: string) => [...text.matchAll(/line (\d+)\r\n/g)].map(([, number]) => Number(number));

describe('kill -9', () => {
  it('[H16] of a client at any moment leaves every agent running, and none of their output is lost', async () => {
    const random = createRandom(seed());
    const folder = temporaryFolder();
    const { host } = await connectHost({ folder });
    onTestFinished(() => host.close());
    let seen = 0;
    for (let round = 0; round < rounds(2, 200); round++) {
      const client = await startClient(folder);
      await pause(random.below(150));
      client.kill('SIGKILL');
      await once(client, 'exit');
      const terminals = await host.list();
      seen += terminals.length;
      for (const { terminalId, exit } of terminals) {
        expect(exit).toBeUndefined();
        const watched = await watchText(host, terminalId);
        await watched.until('line 3\r\n');
        watched.stop();
        const numbers = numbersIn(watched.text);
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      }
      const reports = await Promise.all(terminals.map(({ terminalId }) => host.end(terminalId, { graceMs: 5_000 })));
      expect(reports.flatMap(({ survivors }) => survivors)).toEqual([]);
      await Promise.all(terminals.map(({ terminalId }) => host.forget(terminalId)));
      expect(await marked(host.instance)).toEqual([]);
    }
    expect(seen).toBeGreaterThan(0);
  });

  it('[H11] of the host at any moment leaves no process unfound', async () => {
    const random = createRandom(seed() + 1);
    const folder = temporaryFolder();
    const instances: string[] = [];
    for (let round = 0; round < rounds(2, 200); round++) {
      const client = await startClient(folder);
      const record = readHostRecord(folder);
      if (record === undefined) throw new Error('no record');
      instances.push(record.instance);
      await pause(random.below(150));
      process.kill(record.pid, 'SIGKILL');
      await once(client, 'exit'); // its connection is lost, and it does not know what to do

      const { host, started } = await connectHost({ folder, graceMs: 300 });
      expect(started).toBe(true);
      expect(host.instance).not.toBe(record.instance);
      await endLeftovers(folder, { graceMs: 100 });
      expect(await marked(record.instance)).toEqual([]);
      host.close();
    }
    expect(new Set(instances).size).toBeGreaterThan(0);
  });
});
