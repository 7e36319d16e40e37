import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DEVS, runDevs } from './run-devs.js';

const folder = mkdtempSync(join(tmpdir(), 'devs-journey-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A project of its own, and a user who knows no other. */
function createProject(name: string) {
  const root = join(folder, name);
  mkdirSync(join(root, '.git'), { recursive: true });
  writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const env = { XDG_STATE_HOME: join(root, 'user'), DEVS_STORE: '' };
  const devs = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runDevs(args, { cwd: root, env });
    expect({ exitCode, stderr }, `devs ${args.join(' ')}`).toEqual({ exitCode: 0, stderr: '' });
    return stdout;
  };
  return { root, env, devs };
}

describe.concurrent('with a real store', () => {
  it('a task goes from its first day to another machine, and nothing changes on the way', async () => {
    const { root, devs } = createProject('journey');
    const docsOf = async (...store: string[]) => {
      return JSON.parse(await devs('task', 'show', 'docs', '--json', ...store));
    };

    expect(await devs('task', 'add', 'Fix the login')).toBe('fix-login\n');
    await devs('task', 'add', 'Write the docs', '--id', 'docs', '--after', 'fix-login');
    expect(await devs('task', 'list')).toContain('2 open tasks.');
    await devs('task', 'start', '--next', '--by', 'anna');
    await devs('task', 'done', 'fix-login', '--result', 'works');
    await devs('task', 'start', 'docs', '--by', 'bo', '--lease', '2h');
    expect((await devs('log')).trimEnd().split('\n')).toHaveLength(7);
    expect(await devs('debug', 'verify')).toBe('All is well: 7 events in 2 streams, 2 tasks.\n');
    await devs('debug', 'export', 'log.jsonl');
    const other = ['--store', 'sqlite:other.db'];
    await devs('debug', 'import', 'log.jsonl', ...other);

    expect(await devs('debug', 'export', ...other)).toBe(readFileSync(join(root, 'log.jsonl'), 'utf8'));
    expect(await docsOf(...other)).toEqual(await docsOf());
    expect(await devs('debug', 'verify', ...other)).toContain('All is well');
    expect(statSync(join(root, '.devs/state.db')).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, 'log.jsonl')).mode & 0o777).toBe(0o600);
    expect(await devs()).toContain(`${root}\n  in progress  docs  Write the docs`);
  });

  it('everything of a project can be removed, and only when that is meant', async () => {
    const { root, env, devs } = createProject('purged');
    await devs('task', 'add', 'one');
    await devs('debug', 'session-state');

    expect((await runDevs(['purge'], { cwd: root, env })).exitCode).toBe(2);
    expect((await runDevs(['purge', '--yes'], { cwd: root, env })).exitCode).toBe(0);
    expect(existsSync(join(root, '.devs'))).toBe(false);
    expect(await devs()).toContain('devs has not been used yet');
  });

  it('a damaged list of projects is an error, and not the words for a first use', async () => {
    const { root, env, devs } = createProject('listed');
    await devs('task', 'add', 'one');
    writeFileSync(join(env.XDG_STATE_HOME, 'devs', 'projects.db'), 'not a database'.repeat(100));

    const overview = await runDevs([], { cwd: root, env });

    expect(overview.exitCode).toBe(1);
    expect(overview.stdout).not.toContain('has not been used yet');
    expect(overview.stderr).toContain('projects.db');
  });

  it('10,000 tasks are imported and listed', async () => {
    const { root, devs } = createProject('many');
    const lines = Array.from({ length: 10_000 }, (_, index) => `- [ ] Task number ${index}`);
    writeFileSync(join(root, 'plan.md'), lines.join('\n'));

    expect(await devs('task', 'import', 'plan.md')).toBe('10,000 tasks added.\n');
    const listed = await devs('task', 'list', '--page', '200');
    expect(listed).toContain('pending      task-number-9999  Task number 9999\n');
    expect(listed).toContain('9,951 to 10,000 of 10,000 open tasks, page 200 of 200.');
  });

  it('a follower sees what another process does, and ends well on Ctrl-C', async () => {
    const { root, env, devs } = createProject('followed');
    await devs('task', 'add', 'one');
    const follower = spawn(process.execPath, [DEVS, 'log', '--follow', '--json'], {
      cwd: root,
      env: { ...process.env, ...env },
    });
    const seen: string[] = [];
    let adding: Promise<unknown> | undefined;
    const lines = new Promise<void>((resolve) => {
      follower.stdout.setEncoding('utf8').on('data', (text: string) => {
        seen.push(...text.trimEnd().split('\n'));
        if (seen.length === 1) adding = devs('task', 'add', 'two');
        else resolve();
      });
    });
    await lines;
    await adding;
    follower.kill('SIGINT');

    expect(await new Promise((resolve) => follower.on('close', resolve))).toBe(0);
    expect(seen.map((line) => JSON.parse(line).stream)).toEqual(['task:one', 'task:two']);
  });
});
