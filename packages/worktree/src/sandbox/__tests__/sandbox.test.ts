import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { SandboxSettings } from '@devs/core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openRepository } from '../../run-worktree/__tests__/open-repository.js';
import { runCommand } from '../../run-worktree/run-command.js';
import { findSandbox } from '../find-sandbox.js';
import { openSandbox } from '../open-sandbox.js';

const SETTINGS: SandboxSettings = { mode: 'required', network: true, read: [], write: [], pass: [] };
const finding = await findSandbox(process.env);
const missing = finding.kind === 'bubblewrap' ? undefined : finding.kind === 'none' ? tell(finding) : finding.kind;
if (missing !== undefined && process.env.DEVS_REQUIRE_BWRAP === '1') throw new Error(missing);
beforeEach((context) => {
  if (missing !== undefined) context.skip(missing);
});

function tell({ reason, advice }: { readonly reason: string; readonly advice: string }): string {
  return `${reason}. ${advice}`;
}

/** A user with secrets, a repository, the worktree of a run, and commands in its sandbox. */
async function openScene(changes: Partial<SandboxSettings> = {}, where: 'own' | 'here' = 'own') {
  const scene = openRepository();
  const { repository } = scene;
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'devs-home-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  const made = await scene.make();
  const folder = where === 'own' ? made.path : repository.folder;
  const env = { ...scene.env, HOME: home, ANTHROPIC_API_KEY: 'planted-key', DEVS_STORE: 'redis://:planted@host' };
  const open = async () => {
    const opened = await openSandbox({
      folder,
      project: repository.folder,
      home,
      env,
      settings: { ...SETTINGS, ...changes },
      finding,
    });
    if (opened.status !== 'open') throw new Error(opened.reason);
    onTestFinished(() => opened.sandbox.close());
    return opened.sandbox;
  };
  const sandbox = await open();
  const run = (...command: readonly string[]) => runCommand({ command, folder, env, timeMs: 20_000, sandbox });
  const sh = (script: string) => run('/bin/sh', '-c', script);
  return { ...scene, home, put, folder, run, sh, git: join(repository.folder, '.git') };
}

describe('a command in the worktree of a run', () => {
  it('writes into the worktree, and into caches, and nowhere else', async () => {
    const { sh, folder, home, repository } = await openScene();
    const ran = await sh(
      `echo new > made.txt && mkdir -p ${home}/.cache/tool && echo hit > ${home}/.cache/tool/x && echo t > /tmp/t`,
    );
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(home, '.cache/tool/x'), 'utf8')).toBe('hit\n');
    const elsewhere = [join(home, '.bashrc'), join(repository.folder, 'src/a.txt'), '/etc/planted', '/usr/planted'];
    const { tail } = await sh(
      `for path in ${elsewhere.join(' ')}; do (echo bad >> $path) && echo wrote $path; done 2>/dev/null`,
    );
    expect(tail).toBe('');
    expect(readFileSync(join(repository.folder, 'src/a.txt'), 'utf8')).toBe('a\n');
  });

  it('commits as ever', async () => {
    const { sh, run, repository } = await openScene();
    for (const n of [1, 2]) {
      expect(await sh(`echo ${n} > b.txt`)).toMatchObject({ exitCode: 0 });
      expect(await run('git', 'add', 'b.txt')).toMatchObject({ exitCode: 0, tail: '' });
      expect(await run('git', 'commit', '-q', '-m', `Commit ${n}`)).toMatchObject({ exitCode: 0, tail: '' });
    }
    expect(await run('git', 'commit', '-q', '--amend', '-m', 'Commit two')).toMatchObject({ exitCode: 0, tail: '' });
    expect(await run('git', 'reset', '-q', '--hard', 'HEAD')).toMatchObject({ exitCode: 0 });
    expect(repository.git('log', '--format=%s', 'devs/run-1')).toBe('Commit two\nCommit 1\nFirst');
    expect(repository.git('fsck')).not.toContain('missing');
    expect(repository.git('reflog', 'show', '--format=%gs', 'devs/run-1')).toContain('Commit 1');
  });

  it('commits when its branch is packed, and when git would tidy up', async () => {
    const { run, repository } = await openScene();
    repository.git('pack-refs', '--all', '--prune');
    repository.git('config', 'gc.auto', '1');
    expect(await run('git', 'commit', '-q', '--allow-empty', '-m', 'Packed')).toMatchObject({ exitCode: 0, tail: '' });
    expect(repository.git('log', '-1', '--format=%s', 'devs/run-1')).toBe('Packed');
  });

  it('cannot change what git believes, nor the branches of others', async () => {
    const { sh, git, repository } = await openScene();
    repository.git('branch', 'devs/run-2');
    const paths = [
      ...['hooks/post-checkout', 'config', 'info/exclude', 'packed-refs', 'refs/heads/main', 'refs/heads/devs/run-2'],
      ...['objects/info/alternates', 'worktrees/run-1/commondir', 'worktrees/run-1/gitdir'],
      ...['worktrees/run-1/config.worktree', 'worktrees/run-2/HEAD'],
    ];
    const look = () => paths.map((path) => (existsSync(join(git, path)) ? readFileSync(join(git, path), 'utf8') : ''));
    const before = look();
    const { tail } = await sh(`
      for path in ${paths.join(' ')}; do
        echo bad > made
        (echo bad > ${git}/$path) && echo wrote $path
        rm ${git}/$path && echo removed $path
        mv made ${git}/$path && echo replaced $path
      done 2>/dev/null`);
    expect(tail).toBe('');
    expect(look()).toEqual(before);
  });

  it('cannot change the branch of another run that git has packed', async () => {
    const { sh, git, repository } = await openScene();
    repository.git('branch', 'devs/run-2');
    repository.git('branch', 'devs/team/run-3');
    repository.git('pack-refs', '--all', '--prune');
    const heads = () => repository.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads');
    const before = heads();
    const { tail } = await sh(`
      git commit -q --allow-empty -m Evil && evil=$(git rev-parse HEAD)
      for name in run-2 team/run-3; do
        git update-ref refs/heads/devs/$name $evil && echo updated $name
        mkdir -p ${git}/refs/heads/devs/team; (echo $evil > ${git}/refs/heads/devs/$name) && echo wrote $name
      done 2>/dev/null`);
    expect(tail).toBe('');
    expect(heads().replace(/(?<=devs\/run-1 ).*/, '')).toBe(before.replace(/(?<=devs\/run-1 ).*/, ''));
  });

  it('cannot put a link in the place of a log, through which git would write into a file of the user', async () => {
    const { sh, git, home, put } = await openScene();
    put('.bashrc', 'mine\n');
    const { tail } = await sh(`
      for log in logs/refs/heads/devs/run-1 logs/HEAD worktrees/run-1/logs/HEAD; do
        ln -sf ${home}/.bashrc ${git}/$log && echo linked $log
      done 2>/dev/null
      mv ${git}/worktrees/run-1/logs ${git}/worktrees/run-1/l 2>/dev/null && echo moved`);
    expect(tail).toBe('');
    for (const log of ['logs/refs/heads/devs/run-1', 'logs/HEAD', 'worktrees/run-1/logs/HEAD'])
      expect(lstatSync(join(git, log)).isSymbolicLink()).toBe(false);
  });

  it('cannot move the folder around a guarded path in a cache', async () => {
    const { sh, home, put } = await openScene();
    put('.cache/node/corepack/pnpm.js', 'good');
    await sh(`cd ${home}/.cache && mv node n; mkdir -p node/corepack; echo evil > node/corepack/pnpm.js`);
    expect(readFileSync(join(home, '.cache/node/corepack/pnpm.js'), 'utf8')).toBe('good');
  });

  it('leaves the files as they are where it cannot stash them', async () => {
    const { sh, folder } = await openScene();
    expect(await sh('echo changed > src/a.txt; git stash')).not.toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(folder, 'src/a.txt'), 'utf8')).toBe('changed\n');
  });

  it('cannot replace the .git of its worktree', async () => {
    const { sh, folder } = await openScene();
    const before = readFileSync(join(folder, '.git'), 'utf8');
    expect(await sh('rm -f .git; mv .git x; mkdir -p .git; echo "gitdir: /tmp/evil" > .git')).not.toMatchObject({
      exitCode: 0,
    });
    expect(readFileSync(join(folder, '.git'), 'utf8')).toBe(before);
  });

  it('finds no secret of the user', async () => {
    const { put, sh, home, repository, state } = await openScene();
    const places = [
      '.ssh/id_rsa',
      '.aws/credentials',
      '.gnupg/key',
      '.netrc',
      '.config/gh/hosts.yml',
      '.docker/config.json',
    ];
    const more = ['.claude/.credentials.json', '.claude.json', '.codex/auth.json', '.bash_history', '.kube/config'];
    for (const path of [...places, ...more]) put(path, 'planted-secret');
    put('.npmrc', '//npm.example/:_authToken=npm_abcdefghijklmnopqrstuvwxyz0123456789\nfund=false\n');
    repository.git('config', 'remote.origin.url', 'https://anna:planted-secret-9@example.com/x.git');
    repository.write('.devs/state.db', 'planted-secret');
    mkdirSync(join(state, 'devs', 'terminals'), { recursive: true });
    writeFileSync(join(state, 'devs', 'terminals', 'host.sock'), 'planted-secret');
    const { tail } = await sh(
      `cd ${home} && cat ${[...places, ...more].join(' ')} 2>&1; cat .npmrc; env; git -C ${repository.folder} config -l;
       cat ${repository.folder}/.devs/state.db ${state}/devs/terminals/host.sock ${repository.folder}/.git/config 2>&1`,
    );
    expect(tail).not.toContain('planted');
    expect(tail).not.toContain('npm_abc');
    expect(tail).toContain('fund=false');
    expect(tail).toContain('[redacted:');
  });

  it('sees no process but its own, so that it cannot read what others were started with', async () => {
    const { sh } = await openScene();
    const { tail } = await sh('ls -d /proc/[0-9]* | wc -l; cat /proc/*/environ | tr "\\0" "\\n"');
    expect(Number(tail.split('\n')[0])).toBeLessThan(10);
    expect(tail).not.toContain('planted');
  });

  it('ends with everything that it has started, also in another session', async () => {
    const { sh, folder } = await openScene();
    const beat = join(folder, 'beat');
    await sh(`(setsid sh -c 'while :; do echo x > beat; done' >/dev/null 2>&1 &)
      until [ -e beat ]; do :; done`);
    rmSync(beat);
    expect(await sh('[ ! -e beat ]')).toMatchObject({ exitCode: 0 });
  });

  it('changes no setting of the kernel, also where the user is root', async () => {
    const { sh } = await openScene();
    expect(await sh('test -w /proc/sys/kernel/core_pattern')).toMatchObject({ exitCode: 1 });
  });

  it('reaches no network unless allowed', async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const script = `require('net').connect(${port}, '127.0.0.1').on('error', () => process.exit(1)).on('connect', () => process.exit(0))`;
    const reach = async (network: boolean) =>
      (await (await openScene({ network })).run(process.execPath, '-e', script)).exitCode;
    expect([await reach(true), await reach(false)]).toEqual([0, 1]);
  });

  it('keeps /tmp between its own commands and hides it from others', async () => {
    const { sh } = await openScene();
    const name = `/tmp/devs-left-${process.pid}`;
    await sh(`echo left > ${name}`);
    expect(await sh(`cat ${name}`)).toMatchObject({ exitCode: 0, tail: 'left\n' });
    expect(existsSync(name)).toBe(false);
  });

  it('sees and may change the paths that the user names', async () => {
    const { put, sh, home } = await openScene({ read: ['~/.netrc'], write: ['~/notes'], pass: ['ANTHROPIC_API_KEY'] });
    put('.netrc', 'machine x');
    put('notes/a', '');
    const ran = await sh(`cat ${home}/.netrc && echo b > ${home}/notes/b && echo $ANTHROPIC_API_KEY`);
    expect(ran).toMatchObject({ exitCode: 0, tail: 'machine xplanted-key\n' });
    expect(readFileSync(join(home, 'notes/b'), 'utf8')).toBe('b\n');
  });
});

describe("a command in the user's own checkout", () => {
  it('commits, and changes neither hooks nor settings nor what devs stores', async () => {
    const { sh, run, repository, git } = await openScene({}, 'here');
    repository.write('.devs/state.db', 'planted-secret');
    expect(await run('git', 'commit', '-q', '--allow-empty', '-m', 'Here')).toMatchObject({ exitCode: 0, tail: '' });
    expect(repository.git('log', '-1', '--format=%s')).toBe('Here');
    const before = readFileSync(join(git, 'config'), 'utf8');
    const paths = '.git/config .git/hooks/pre-commit .git/config.worktree .devs/config.yaml .devs/state.db';
    const { tail } = await sh(`
      for path in ${paths}; do (echo bad > $path) && echo wrote $path; done 2>/dev/null
      mv .git .gut 2>/dev/null && echo moved
      cat .devs/state.db`);
    expect(tail).toBe('');
    expect(readFileSync(join(git, 'config'), 'utf8')).toBe(before);
    expect(readFileSync(join(repository.folder, '.devs/state.db'), 'utf8')).toBe('planted-secret');
  });
});

describe("the user's git, after a command in their own checkout", () => {
  it('is led to no settings and no file that the command has chosen', async () => {
    const { sh, repository, git, put, home } = await openScene({}, 'here');
    put('.bashrc', 'mine\n');
    const before = repository.git('config', '--list', '--show-origin');
    await sh(`
      mkdir -p evil/objects evil/refs && cp .git/HEAD evil/HEAD && printf '[core]\n\tfsmonitor = ./evil.sh\n' > evil/config
      echo ../evil > .git/commondir
      mkdir -p .git/logs && ln -sf ${home}/.bashrc .git/logs/HEAD`);
    expect(repository.git('config', '--list', '--show-origin')).toBe(before);
    repository.git('commit', '--allow-empty', '-q', '-m', 'Mine');
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('mine\n');
    expect(existsSync(join(git, 'commondir'))).toBe(false);
  });

  it('finds its repository where the command took away what makes it one', async () => {
    const { sh, repository } = await openScene({}, 'here');
    await sh('cp -r .git/. . ; echo bad > .git/HEAD; mv .git/refs .git/r; chmod 000 .git/objects');
    expect(repository.git('rev-parse', '--git-dir')).toBe('.git');
    expect(repository.git('log', '-1', '--format=%s')).toBe('First');
  });
});

describe('without a sandbox on the system', () => {
  const NONE = { kind: 'none', reason: 'bubblewrap is not installed', advice: 'Install it' } as const;
  const openWith = (mode: SandboxSettings['mode']) =>
    openSandbox({
      folder: tmpdir(),
      home: tmpdir(),
      env: { PATH: '/bin', OPENAI_API_KEY: 'planted', DEVS_STORE: 'redis://:planted@host' },
      settings: { ...SETTINGS, mode },
      finding: NONE,
    });

  it('is refused where one is required', async () => {
    expect(await openWith('required')).toMatchObject({ status: 'refused', advice: expect.stringContaining('Install') });
  });

  it.each(['auto', 'off'] as const)(
    'runs as it is with %s, without keys and without the address of the store',
    async (mode) => {
      const opened = await openWith(mode);
      if (opened.status !== 'open') throw new Error(opened.reason);
      expect(opened.note === undefined).toBe(mode === 'off');
      const entered = await opened.sandbox.enter(['true'], tmpdir());
      expect(entered).toEqual({ command: ['true'], env: { PATH: '/bin' } });
    },
  );
});
