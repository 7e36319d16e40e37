import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { cleanEnvironment } from '../clean-environment.js';
import { shellWords } from '../shell-words.js';
import { removePrivateLinks, writePrivateFiles } from '../write-private-files.js';

it('writes what only the user may read, also into a folder that was open to others', async () => {
  const base = mkdtempSync(join(tmpdir(), 'devs-private-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const folder = join(base, 'terminal');
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  await writePrivateFiles([{ path: join(folder, 'mcp.json'), text: 'old' }]);
  await writePrivateFiles([{ path: join(folder, 'mcp.json'), text: 'new' }]);

  expect(readdirSync(folder)).toEqual(['mcp.json']);
  expect(readFileSync(join(folder, 'mcp.json'), 'utf8')).toBe('new');
  expect([statSync(folder).mode & 0o777, statSync(join(folder, 'mcp.json')).mode & 0o777]).toEqual([0o700, 0o600]);
});

it('leaves nothing behind in a folder of the user, and removes only its own files', async () => {
  const base = mkdtempSync(join(tmpdir(), 'devs-private-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const ours = { path: join(base, 'ours', 'profile.toml'), text: 'x', link: join(base, 'ours.toml') };
  const theirs = { path: join(base, 'ours', 'other.toml'), text: 'x', link: join(base, 'theirs.toml') };
  await writePrivateFiles([ours]);
  writeFileSync(theirs.link, 'of the user');

  await removePrivateLinks([ours, theirs, { path: join(base, 'gone'), text: '', link: join(base, 'gone.toml') }]);
  expect(readdirSync(base).sort()).toEqual(['ours', 'theirs.toml']);
});

it("removes another agent's variables from the environment, and nothing of the user", () => {
  const mine = {
    HOME: '/h',
    CLAUDE_CONFIG_DIR: '/c',
    CODEX_HOME: '/x',
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_CODE_USE_BEDROCK: '1',
  };
  const left = {
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_PID: '7',
    CODEX_SANDBOX_NETWORK_DISABLED: '1',
  };

  expect(cleanEnvironment({ ...mine, ...left, UNSET: undefined })).toEqual(mine);
});

it('[H5] quotes words that a shell would expand', () => {
  expect(shellWords(['/usr/bin/node', "a b'c", '$(rm -rf /)', '`x`', ''])).toBe(
    `/usr/bin/node 'a b'\\''c' '$(rm -rf /)' '\`x\`' ''`,
  );
});
