import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MINIMUM_NODE, nodeProblem } from '../../packages/cli/bin/node-version.mjs';
import { explainInstallFailure } from '../lib/install/explain-install-failure.mjs';
import { stampKey } from '../lib/install/install-stamp.mjs';
import { pinnedPnpm } from '../lib/install/pnpm.mjs';
import { repoRoot } from '../lib/paths.mjs';
import { capture, run } from '../lib/run.mjs';

describe('the Node version', () => {
  it.each(['20.19.0', '20.20.2', '21.0.0', '24.1.0'])('%s is new enough', (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  });

  it.each(['18.20.8', '20.18.3', '8.0.0'])('%s is too old, and the message says what to do', (version) => {
    expect(nodeProblem(version)).toMatch(
      new RegExp(`Node ${MINIMUM_NODE} or newer is needed; this is Node ${version}.*Install`),
    );
  });

  it.each(['package.json', 'packages/cli/package.json'])('is what %s asks for', (path) => {
    const { engines } = JSON.parse(readFileSync(join(repoRoot, path), 'utf8'));

    expect(engines.node).toBe(`>=${MINIMUM_NODE}`);
  });
});

describe('the root package', () => {
  it('has no dependencies: npm takes the node_modules apart that pnpm links for them', () => {
    const root = JSON.parse(readFileSync(join(repoRoot, 'package.json'), 'utf8'));

    expect(Object.keys(root).filter((key) => /dependencies/i.test(key))).toEqual([]);
  });
});

describe('the lockfile', () => {
  it("names no registry: each user's own settings decide", () => {
    expect(readFileSync(join(repoRoot, 'pnpm-lock.yaml'), 'utf8')).not.toContain('://');
  });
});

describe('the pinned pnpm', () => {
  it.each(['pnpm@10.34.8', 'pnpm@10.34.8+sha512.abc'])('is read from %s', (packageManager) => {
    expect(pinnedPnpm(packageManager)).toBe('10.34.8');
  });

  it('must be pinned', () => {
    expect(() => pinnedPnpm('pnpm@latest')).toThrow('pnpm@latest');
  });
});

describe('the stamp of an install', () => {
  const facts = {
    files: { 'pnpm-lock.yaml': 'a', 'package.json': 'b' },
    node: '20.19.0',
    platform: 'linux',
    arch: 'x64',
  };

  it.each([
    {
      what: 'the order of files',
      changed: { ...facts, files: { 'package.json': 'b', 'pnpm-lock.yaml': 'a' } },
      same: true,
    },
    { what: 'a patch of Node', changed: { ...facts, node: '20.20.2' }, same: true },
    { what: 'another Node', changed: { ...facts, node: '22.0.0' }, same: false },
    { what: 'another machine', changed: { ...facts, arch: 'arm64' }, same: false },
    { what: 'another lockfile', changed: { ...facts, files: { ...facts.files, 'pnpm-lock.yaml': 'c' } }, same: false },
    {
      what: 'a new package',
      changed: { ...facts, files: { ...facts.files, 'packages/a/package.json': '' } },
      same: false,
    },
  ])('stays the same after $what: $same', ({ changed, same }) => {
    expect(stampKey(changed) === stampKey(facts)).toBe(same);
  });
});

describe('a failed install', () => {
  it.each([
    { output: 'GET https://registry: getaddrinfo ENOTFOUND', advice: 'network' },
    { output: "EACCES: permission denied, mkdir 'node_modules'", advice: 'writable' },
    { output: "EROFS: read-only file system, open 'x'", advice: 'writable' },
    { output: 'ENOSPC: no space left on device', advice: 'disk' },
    { output: 'Error: spawn npm ENOENT', advice: 'npm was not found' },
    { output: 'ERR_PNPM_OUTDATED_LOCKFILE', advice: '--no-frozen-lockfile' },
    { output: 'something new', advice: 'delete node_modules' },
  ])('says what to do about "$output"', ({ output, advice }) => {
    expect(explainInstallFailure(output)).toContain(advice);
  });
});

describe('a program that bootstrap runs', () => {
  const node = (code: string) => ['-e', code];

  it('passes its exit code on', async () => {
    expect(await run(process.execPath, node('process.exitCode = 7'))).toBe(7);
  });

  it('that a signal ended gives 128 and the number of the signal', async () => {
    expect(await run(process.execPath, node("process.kill(process.pid, 'SIGTERM')"))).toBe(143);
  });

  it('has its output collected', async () => {
    const result = await capture(process.execPath, node("console.log('out'); console.error('err')"));

    expect(result.code).toBe(0);
    expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  it('that does not exist is an error', async () => {
    await expect(run('no-such-program', [])).rejects.toThrow('ENOENT');
  });

  it('bootstrap itself ends with 2 on an unknown command', async () => {
    const result = await capture(process.execPath, [join(repoRoot, 'scripts/bootstrap.mjs'), 'fly']);

    expect(result).toEqual({
      code: 2,
      output: 'devs: unknown command "fly"; there are: start, test, install, postinstall\n',
    });
  });

  it('bootstrap leaves everything to pnpm after an install by pnpm', async () => {
    const env = { ...process.env, npm_config_user_agent: 'pnpm/10.34.8 npm/? node/v20.19.0 linux x64' };
    const result = await capture(process.execPath, [join(repoRoot, 'scripts/bootstrap.mjs'), 'postinstall'], { env });

    expect(result).toEqual({ code: 0, output: '' });
  });
});
