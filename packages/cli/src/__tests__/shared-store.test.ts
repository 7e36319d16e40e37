import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { useRedisServer } from './redis-server.js';
import { runDevs } from './run-devs.js';

const { address, command } = useRedisServer();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-shared-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let worlds = 0;

/** Projects of one user, whose `DEVS_STORE` names the server. */
function openWorld() {
  const home = join(folder, String(++worlds));
  mkdirSync(home);
  const env = { HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', '-c', 'protocol.file.allow=always', ...args], {
      cwd: home,
      env: { PATH: process.env['PATH'], ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  return {
    home,
    git,
    project(name: string) {
      git('init', '--quiet', name);
      git('-C', name, 'commit', '--quiet', '--allow-empty', '-m', `First of ${name} ${worlds}`);
    },
    devs: (name: string, ...args: string[]) =>
      runDevs(args, { cwd: join(home, name), env: { ...env, DEVS_STORE: address() } }),
    storeOf: (name: string) => {
      const root = git('-C', name, 'rev-list', '--max-parents=0', 'HEAD');
      return ['--store', `${address()}?prefix=devs:${root.slice(0, 12)}`];
    },
  };
}

const idsOf = ({ stdout }: { readonly stdout: string }) =>
  (JSON.parse(stdout) as { tasks: { id: string }[] }).tasks.map(({ id }) => id);

describe('a store in Redis', () => {
  it('[F4] is shared by the clones of one project, and not by two projects', async () => {
    const { git, project, devs } = openWorld();
    project('shop');
    project('blog');
    git('clone', '--quiet', 'shop', 'shop-2');
    expect((await devs('shop', 'task', 'add', 'Sell', '--id', 'sell')).exitCode).toBe(0);
    expect(idsOf(await devs('shop-2', 'task', 'list', '--json'))).toEqual(['sell']);
    expect(idsOf(await devs('blog', 'task', 'list', '--json'))).toEqual([]);
  });

  it.each([
    ['a look at its tasks', ['task', 'list']],
    ['a new task', ['task', 'add', 'Write']],
    ['the start of a task', ['task', 'start', 'sell']],
    ['its queue', ['run', '--queue', '--provider', 'scripted', '--scenario', 'answers.json', '--agent', 'builtin']],
    ['its removal', ['purge', '--yes']],
  ])('[F4] of another project is refused, with what to do: %s', async (_, args) => {
    const { home, project, devs, storeOf, git } = openWorld();
    project('shop');
    project('blog');
    await devs('shop', 'task', 'add', 'Sell', '--id', 'sell');
    writeFileSync(join(home, 'blog', 'answers.json'), '{}');
    const refused = await devs('blog', ...args, ...storeOf('shop'));
    expect(refused.exitCode).toBe(1);
    const [shop, blog] = ['shop', 'blog'].map((name) => git('-C', name, 'rev-parse', '--short=10', 'HEAD'));
    expect(refused.stderr).toContain(
      `holds the records of another project: the project with the first commit ${shop}. This is the project with the first commit ${blog}.`,
    );
    expect(refused.stderr).toContain('leave out ?prefix=');
    expect(JSON.parse((await devs('shop', 'task', 'show', 'sell', '--json')).stdout)).toMatchObject({
      task: { status: 'pending' },
    });
  });

  it('[F4] needs a commit to know a project by, or a name, which the project keeps with its first commit', async () => {
    const { git, devs, home } = openWorld();
    git('init', '--quiet', 'new');
    mkdirSync(join(home, 'plain'));
    const named = ['--store', `${address()}?prefix=named-${worlds}`];
    for (const name of ['new', 'plain']) {
      const { exitCode, stderr } = await devs(name, 'task', 'add', 'One');
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('Commit once, or name the records yourself')]);
    }
    expect((await devs('new', 'task', 'add', 'One', '--id', 'one', ...named)).exitCode).toBe(0);
    expect((await devs('plain', 'task', 'list', ...named)).stderr).toContain('a repository without commits');

    git('-C', 'new', 'commit', '--quiet', '--allow-empty', '-m', `First of new ${worlds}`);
    expect((await devs('new', 'task', 'add', 'Two', '--id', 'two', ...named)).exitCode).toBe(0);
    git('clone', '--quiet', 'new', 'new-2');
    expect(idsOf(await devs('new-2', 'task', 'list', '--json', ...named))).toEqual(['one', 'two']);
  });

  it('[F4] refuses a shallow clone, which cannot say what project it is of', async () => {
    const { git, project, devs, home } = openWorld();
    project('shop');
    git('-C', 'shop', 'commit', '--quiet', '--allow-empty', '-m', 'Second');
    git('clone', '--quiet', '--depth=1', `file://${join(home, 'shop')}`, 'shallow');
    expect((await devs('shallow', 'task', 'list')).stderr).toContain('git fetch --unshallow');
    git('-C', 'shallow', 'fetch', '--quiet', '--unshallow');
    expect((await devs('shallow', 'task', 'list')).exitCode).toBe(0);
  });

  it('that lost everything is not begun anew by a clone that had joined it', async () => {
    const { project, devs, home } = openWorld();
    project('shop');
    await devs('shop', 'task', 'add', 'Sell', '--id', 'sell');
    await command('FLUSHALL');
    const refused = await devs('shop', 'task', 'add', 'Buy');
    expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('it was emptied')]);

    const file = join(home, 'shop', '.git', 'devs', 'stores.json');
    expect(refused.stderr).toContain(`remove ${file}`);
    expect(readFileSync(file, 'utf8')).not.toContain('Sell');
    rmSync(file);
    expect((await devs('shop', 'task', 'add', 'Buy')).exitCode).toBe(0);
    expect(existsSync(file)).toBe(true);
  });
});
