import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TaskRecord } from '@devs/core';
import { onTestFinished } from 'vitest';
import { runDevs } from '../../__tests__/run-devs.js';
import { killProcess, processesOf, startDevs } from './run-project.js';
import { SMALL_WORKFLOW, smallScenario } from './small-work.js';

const MINUTE = 60_000;

/** A bare repository, and machines with homes, clones and names of their own that share a store. */
export function openFleet(address: string, { delay }: { readonly delay?: string } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devs-fleet-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 10 }), 2 * MINUTE);
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=user', '-c', 'user.email=user@localhost', ...args], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const remote = join(root, 'remote.git');
  git(root, 'init', '--quiet', '--bare', '--initial-branch=main', remote);
  const first = join(root, 'first');
  git(root, 'init', '--quiet', '--initial-branch=main', first);
  writeFileSync(join(first, 'README.md'), `A project ${root}\n`);
  git(first, 'add', '.');
  git(first, 'commit', '--quiet', '-m', `Begin ${root}`);
  git(first, 'push', '--quiet', remote, 'main');
  const scenario = join(root, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(smallScenario(delay)));

  const machine = (name: string) => {
    const home = join(root, name);
    const folder = join(home, 'project');
    const state = join(home, 'state');
    const env = {
      HOME: home,
      XDG_STATE_HOME: state,
      XDG_CONFIG_HOME: join(home, 'config'),
      DEVS_MACHINE: name,
      DEVS_STORE: address,
    };
    mkdirSync(join(env.XDG_CONFIG_HOME, 'devs'), { recursive: true });
    writeFileSync(
      join(env.XDG_CONFIG_HOME, 'devs', 'config.yaml'),
      'agent: builtin\nworkflow: small\nmodel: { window: 30000 }\n',
    );
    git(home, 'clone', '--quiet', remote, folder);
    git(folder, 'config', 'user.name', name);
    git(folder, 'config', 'user.email', `${name}@localhost`);
    mkdirSync(join(folder, '.devs', 'workflows'), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, '.devs', 'workflows', 'small.yaml'), SMALL_WORKFLOW);
    const kill = () => {
      for (const { pid } of processesOf(state)) killProcess(pid);
    };
    onTestFinished(kill);
    const devs = (...args: readonly string[]) => runDevs(args, { cwd: folder, env });
    return {
      name,
      folder,
      devs,
      kill,
      git: (...args: readonly string[]) => git(folder, ...args),
      /** A worker that stays. */
      worker: (...args: readonly string[]) =>
        startDevs(['worker', '--provider', 'scripted', '--scenario', scenario, '--json', ...args], {
          cwd: folder,
          env: { ...process.env, ...env },
        }),
      state,
      queue: () => devs('run', '--provider', 'scripted', '--scenario', scenario, '--queue', '--json'),
      tasks: async () =>
        (JSON.parse((await devs('task', 'list', '--all', '--json')).stdout) as { tasks: TaskRecord[] }).tasks,
      events: async () =>
        (await devs('log', '--json', '--limit', '10000')).stdout
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line) as { type: string; stream: string; data: Record<string, unknown> }),
    };
  };
  return { remote, machine, git, root };
}
