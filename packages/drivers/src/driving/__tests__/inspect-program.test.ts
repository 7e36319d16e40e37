import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inspectProgram } from '../inspect-program.js';

const FACTS = { name: 'agent', triedVersions: ['1.2.3'], reliesOn: 'its screen is used', install: 'install it' };

function program(script: string): { folder: string; home: string; env: { PATH: string } } {
  const folder = mkdtempSync(join(tmpdir(), 'devs-inspect-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'agent'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'agent'), 0o755);
  return { folder, home: folder, env: { PATH: `${folder}:/usr/bin:/bin` } };
}

describe('looking for an agent', () => {
  it('finds the program on the PATH, and recognises a tried version', async () => {
    const place = program('echo "1.2.3 (Agent)"');

    expect(await inspectProgram(place, FACTS)).toEqual({
      kind: 'installed',
      command: join(place.folder, 'agent'),
      version: '1.2.3',
      tried: true,
    });
  });

  it('warns about an untried version, and names the assumptions', async () => {
    expect(await inspectProgram(program('echo agent 9.0.0'), FACTS)).toMatchObject({
      tried: false,
      version: '9.0.0',
      warning: 'agent 9.0.0 was not tried with devs (1.2.3 was): its screen is used',
    });
  });

  it.each([
    { script: 'echo no number here', reason: /does not say its version/ },
    { script: 'exit 3', reason: /does not say its version/ },
  ])('says why it cannot be used: $script', async ({ script, reason }) => {
    expect(await inspectProgram(program(script), FACTS)).toMatchObject({
      kind: 'unusable',
      reason: expect.stringMatching(reason),
    });
  });

  it('says how to install a missing program', async () => {
    const place = { folder: '/', home: '/', env: { PATH: '/nowhere' } };

    expect(await inspectProgram(place, FACTS)).toEqual({
      kind: 'unusable',
      reason: 'agent was not found',
      advice: 'install it',
    });
  });
});
