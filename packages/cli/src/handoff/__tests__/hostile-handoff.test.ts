import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runDevs } from '../../__tests__/run-devs.js';

/**
 * A clone with a folder `docs` that git takes for a repository, whose settings name a program. The folder is made of ordinary
 * files, so it comes with the clone.
 */
function cloneWithBareFolder() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'devs-bare-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true, maxRetries: 10 }));
  const [theirs, clone, marker] = [join(top, 'theirs'), join(top, 'clone'), join(top, 'it-ran')];
  const env = { HOME: join(top, 'home'), XDG_STATE_HOME: join(top, 'state'), GIT_CONFIG_GLOBAL: '/dev/null' };
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=mallory', '-c', 'user.email=mallory@localhost', ...args], {
      cwd,
      env: { ...process.env, ...env },
      stdio: 'pipe',
    });
  mkdirSync(join(theirs, 'docs'), { recursive: true });
  const bare = join(theirs, 'docs');
  git(theirs, 'init', '-q');
  git(bare, 'init', '-q', '--bare', '--initial-branch=send-your-keys');
  writeFileSync(join(theirs, 'a.txt'), 'a\n');
  writeFileSync(join(theirs, '.gitattributes'), '* filter=evil\n');
  for (const empty of ['refs/keep', 'objects/keep']) writeFileSync(join(bare, empty), '');
  git(bare, 'config', 'core.bare', 'false');
  git(bare, 'config', 'core.worktree', '..');
  git(bare, 'add', '../a.txt');
  git(bare, 'config', 'core.fsmonitor', `touch ${marker}; false`);
  git(bare, 'config', 'filter.evil.clean', `touch ${marker}; cat`);
  git(theirs, 'add', '-f', '.');
  git(theirs, 'commit', '-qm', 'All yours');
  git(top, 'clone', '-q', theirs, clone);
  rmSync(marker, { force: true });
  return { top, clone, docs: join(clone, 'docs'), env, git, marker };
}

it('[S11] `devs handoff` runs nothing and reads nothing of a bare repository inside the project', async () => {
  const { top, clone, docs, env, git, marker } = cloneWithBareFolder();
  git(docs, 'status', '--short');
  expect(existsSync(marker)).toBe(true); // git by itself runs it
  rmSync(marker);
  const transcript = join(top, 'conversation.jsonl');
  const said = { type: 'user', sessionId: 'c-1', cwd: docs, message: { content: 'Sort the widgets' } };
  writeFileSync(transcript, `${JSON.stringify(said)}\n`);

  for (const [cwd, ...more] of [[docs], [clone, '--repo', 'docs'], [docs, '--to', 'claude']] as const) {
    const { exitCode, stdout, stderr } = await runDevs(['handoff', '--transcript', transcript, ...more], { cwd, env });
    expect({ exitCode, stderr, ran: existsSync(marker) }).toEqual({ exitCode: 0, stderr: '', ran: false });
    expect(stdout).toContain(more[0] === '--to' ? `cd '${docs}' && claude` : 'Sort the widgets');
    expect(stdout).not.toContain('send-your-keys');
  }
});
