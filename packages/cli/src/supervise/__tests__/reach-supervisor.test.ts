import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { supervisorPlaces } from '../places.js';
import { leftSomething, prepareFolder, reachSupervisor } from '../reach-supervisor.js';
import { serveFake } from './serve-fake.js';

/** A supervisor of one version; when it is asked to end, the next one takes its place. */
async function openPlace(version: string, next = '9.0.0') {
  const folder = mkdtempSync(join(tmpdir(), 'devs-reach-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const places = supervisorPlaces(join(folder, 'projects.json'));
  prepareFolder(places.folder);
  const asked: string[] = [];
  const serve = async (own: string): Promise<void> => {
    const served = await serveFake(places.socket, own, {
      handlers: {
        async 'supervisor.shutdown'({ how }) {
          asked.push(`${own}: ${how}`);
          void served.close().then(() => serve(next));
          return { status: 'done' };
        },
      },
    });
  };
  await serve(version);
  const reach = (own: string) =>
    reachSupervisor({
      places,
      version: own,
      caller: { folder, environment: {} },
      devsCommand: [process.execPath, '-e', '', '--'], // finds that another one is there, and ends
      env: { PATH: process.env.PATH },
      loadTerminals: () => import('@devs/terminals'),
    });
  return { asked, reach };
}

describe.skipIf(process.platform !== 'linux')('a supervisor of another version', () => {
  it('is asked to let go where it is older, and the next one is used', async () => {
    const { asked, reach } = await openPlace('1.2.3');
    const { client, replaced } = await reach('1.10.0');
    expect({ asked, replaced, version: client.version }).toEqual({
      asked: ['1.2.3: leave'],
      replaced: '1.2.3',
      version: '9.0.0',
    });
    client.close();
  });

  it.each(['1.2.3', '2.0.0'])('is used where it is %s and not older', async (version) => {
    const { asked, reach } = await openPlace(version);
    const { client } = await reach('1.2.3');
    expect({ asked, version: client.version }).toEqual({ asked: [], version });
    client.close();
  });
});

/** Is killed at its first start, and finds another supervisor at every later start. */
const KILLED_ONCE = `
  const { existsSync, writeFileSync } = require('node:fs');
  const [mark] = process.argv.slice(1);
  const isFirst = !existsSync(mark);
  writeFileSync(isFirst ? mark : mark + '.again', '');
  if (isFirst) process.kill(process.pid, 'SIGKILL');
`;

describe.skipIf(process.platform !== 'linux')('a supervisor that is killed at its start', () => {
  it('is started again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devs-reach-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const places = supervisorPlaces(join(folder, 'projects.json'));
    prepareFolder(places.folder);
    const mark = join(folder, 'mark');
    const reaching = reachSupervisor({
      places,
      version: '1.0.0',
      caller: { folder, environment: {} },
      devsCommand: [process.execPath, '-e', KILLED_ONCE, mark],
      env: { PATH: process.env.PATH },
      loadTerminals: () => import('@devs/terminals'),
    });
    await until(() => existsSync(`${mark}.again`));
    await serveFake(places.socket, '1.0.0');

    const { client } = await reaching;

    expect(client.version).toBe('1.0.0');
    client.close();
  });
});

describe('what a supervisor left', () => {
  it('is found where something was entrusted to it and the user has not ended it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'devs-reach-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const places = supervisorPlaces(join(folder, 'projects.json'));
    expect(leftSomething(places)).toBe(false);

    mkdirSync(places.entrusted, { recursive: true });
    expect(leftSomething(places)).toBe(false);

    writeFileSync(join(places.entrusted, 'run-1.json'), '{}');
    expect(leftSomething(places)).toBe(true);

    writeFileSync(places.ended, '');
    expect(leftSomething(places)).toBe(false);
  });
});
