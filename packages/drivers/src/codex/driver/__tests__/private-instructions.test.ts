import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaunchRequest } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { writePrivateFiles } from '../../../driving/write-private-files.js';
import { launchCodex } from '../launch-codex.js';
import { codexConfig } from '../read-codex-config.js';

const request = (changes: Partial<LaunchRequest> = {}): LaunchRequest => ({
  folder: '/work',
  home: '/home/u',
  env: {},
  userArgs: [],
  conversation: { kind: 'fresh', id: '' },
  privateFolder: '/private',
  systemPrompt: 'THE "HANDOFF"',
  firstPrompt: 'go on',
  ...changes,
});
const asked = (values = {}) => Promise.resolve({ values, profiles: '/home/u/.codex' });

describe('the instructions of Codex', () => {
  it('are in a private file, behind those of the user, and no word of them is on the command line', async () => {
    const plan = await launchCodex(request(), () => asked({ developer_instructions: 'THEIRS' }));
    const again = await launchCodex(request({ systemPrompt: 'OTHER' }), () => asked());
    expect(plan.args).toEqual(['-p', expect.stringMatching(/^devs-[0-9a-f]{12}$/), '--', 'go on']);
    expect(plan.privateFiles).toEqual([
      {
        path: '/private/profile.toml',
        text: 'developer_instructions = "THEIRS\\n\\nTHE \\"HANDOFF\\""\n',
        link: `/home/u/.codex/${plan.args[1]}.config.toml`,
      },
    ]);
    expect(again.args).toEqual(plan.args);
  });

  it.each([['-p'], ['--profile']])('are an option if the user has their own profile: %s', async (option) => {
    const plan = await launchCodex(request({ userArgs: [option, 'work'] }), () => asked());
    expect(plan.args).toEqual([option, 'work', '-c', 'developer_instructions="THE \\"HANDOFF\\""', '--', 'go on']);
  });

  it.each([
    ['of the version that was tried', 'devs/0.166.0 (Debian)', undefined, true],
    ['of an older one', 'devs/0.120.3 (Debian)', undefined, false],
    ['of one that says nothing', undefined, undefined, false],
    ["whose instructions are the user's", 'devs/0.166.0 (Debian)', 'user', true],
    ['whose instructions are options', 'devs/0.166.0 (Debian)', 'sessionFlags', true],
    ["whose instructions are the project's, which count more", 'devs/0.166.0 (Debian)', 'project', false],
  ])('are in a profile for a Codex %s, or not', (_, userAgent, type, isPossible) => {
    const hello = { codexHome: '/x', ...(userAgent === undefined ? {} : { userAgent }) };
    const origins = type === undefined ? {} : { developer_instructions: { name: { type } } };
    const values = { model: null };
    expect(codexConfig(hello, { config: values, origins })).toEqual({
      values,
      ...(isPossible ? { profiles: '/x' } : {}),
    });
    expect(codexConfig(hello, undefined)).toBeUndefined();
  });

  it('are found by a link, and the folder of the user stays as open as it was', async () => {
    const base = mkdtempSync(join(tmpdir(), 'devs-private-'));
    onTestFinished(() => rmSync(base, { recursive: true }));
    const theirs = join(base, 'codex');
    mkdirSync(theirs, { mode: 0o755 });
    const file = { path: join(base, 'private', 'profile.toml'), link: join(theirs, 'devs-1.config.toml') };
    await writePrivateFiles([{ ...file, text: 'old' }]);
    await writePrivateFiles([{ ...file, text: 'new' }]);
    expect(readFileSync(file.link, 'utf8')).toBe('new');
    expect(lstatSync(file.link).isSymbolicLink()).toBe(true);
    expect([statSync(theirs).mode & 0o777, statSync(file.path).mode & 0o777]).toEqual([0o755, 0o600]);
  });
});
