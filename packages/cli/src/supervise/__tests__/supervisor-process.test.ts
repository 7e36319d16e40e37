import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunReport } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { startProvider } from '../../agent/__tests__/provider-server.js';
import type { RunProcess, RunProject } from '../../run/__tests__/run-project.js';
import { openSmallProject } from '../../run/__tests__/small-work.js';
import { connectSupervisor } from '../connect-supervisor.js';

const REQUEST = 'Write the file';
const LONG_MS = 280_000;

/** Its model thinks, so that there is a middle of a run. */
async function openTrusted(delay = '400ms'): Promise<RunProject> {
  const project = openSmallProject({ delay });
  await project.run('config', '--trust');
  return project;
}

const pidsOf = (project: RunProject, kind: RunProcess['kind']) =>
  project
    .processes()
    .filter((found) => found.kind === kind)
    .map(({ pid }) => pid);

async function until<T>(look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await pause(50);
  }
}

/** Its agent has been told what to do, and runs. */
const atWork = (project: RunProject) =>
  until(() => (project.requests().length > 0 ? pidsOf(project, 'agent')[0] : undefined));

/** Nothing where it is gone meanwhile. */
function environmentOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}

/** Settings that count for more than those of the scripted model. */
const modelOf = (mark: string, url: string): readonly string[] =>
  [`provider=anthropic`, `name=model-${mark}`, `baseUrl=${url}`].flatMap((word) => ['--set', `model.${word}`]);

const filesWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => existsSync(path) && readFileSync(path).includes(text));

/** All in the same moment: each of them would start the other again. */
const kill = (project: RunProject, ...kinds: readonly RunProcess['kind'][]) => {
  const found = project.processes().filter(({ kind }) => kinds.includes(kind));
  for (const { pid } of found) process.kill(pid, 'SIGSTOP');
  for (const { pid } of found) process.kill(pid, 'SIGKILL');
};

const ended = (project: RunProject): Promise<RunReport> =>
  until(async () => {
    if (!(await project.isAtRest())) return undefined;
    const report = await project.report();
    return ['running', 'open'].includes(report.outcome.kind) ? undefined : report;
  });

const stepsOf = ({ steps }: RunReport) => steps.map(({ at }) => at);

describe.skipIf(process.platform !== 'linux')('the supervisor of a user', () => {
  it(
    'that is killed in the middle of a run is restarted, and the run ends unattended',
    async () => {
      const project = await openTrusted();
      project.start('run', REQUEST);
      await atWork(project);

      kill(project, 'follower', 'supervisor');

      const report = await ended(project);
      expect(report.outcome.kind).toBe('done');
      expect(stepsOf(report)).toEqual([...new Set(stepsOf(report))]);
      expect(pidsOf(project, 'agent')).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'that is killed with its host is started again by a `devs run` that waits, which says so',
    async () => {
      const project = await openTrusted();
      const devs = project.startWith({ SHOP_API_KEY: 'k' }, 'run', REQUEST);
      await atWork(project);

      kill(project, 'supervisor', 'host');

      const { exitCode, stderr } = await devs.ended;
      expect([exitCode, stderr]).toEqual([0, expect.stringContaining('the supervisor is gone; another one continues')]);
      expect((await project.report()).outcome.kind).toBe('done');
    },
    LONG_MS,
  );

  it(
    'that is killed with its host is started again by the next look at what runs, which says so',
    async () => {
      const project = await openTrusted();
      project.start('run', REQUEST);
      await atWork(project);

      kill(project, 'follower', 'supervisor', 'host');
      const { stdout, stderr } = await project.run('ls');

      expect(stderr).toMatch(/^devs: no supervisor was running\. A new one continues run run-\S+\.\n$/);
      expect(stdout).not.toContain('interrupted');
      expect((await ended(project)).outcome.kind).toBe('done');
      await project.run('down');
      expect((await project.run('ls')).stderr).toBe('');
      expect(pidsOf(project, 'supervisor')).toEqual([]);
    },
    LONG_MS,
  );

  it(
    'pauses a run whose keys are gone with it and with the host, and says which',
    async () => {
      const project = await openTrusted();
      project.startWith({ SHOP_API_KEY: 'shop-9f8e7d6c5b4a39281716' }, 'run', REQUEST);
      await atWork(project);

      kill(project, 'follower', 'supervisor', 'host');
      await project.run('up');

      const { outcome } = await ended(project);
      expect(['paused', 'escalated']).toContain(outcome.kind);
      expect((await project.run('answer')).stdout).toContain('SHOP_API_KEY');
      await project.run('down');
    },
    LONG_MS,
  );

  it(
    'gives each agent the environment of the shell that asked for it',
    async () => {
      const project = await openTrusted('10s'); // both are at work at the same time
      const first = project.startWith({ SHELL_MARK: 'one' }, 'run', REQUEST);
      await atWork(project);
      const path = `${process.env.PATH ?? ''}:/nowhere/two`;
      const second = project.startWith({ SHELL_MARK: 'two', PATH: path }, 'run', REQUEST);
      const environments = await until(() => {
        const found = pidsOf(project, 'agent').map(environmentOf);
        const isMarked = (names: readonly string[]) => names.some((name) => name.startsWith('SHELL_MARK='));
        return found.filter(isMarked).length < 2 ? undefined : found;
      });

      const marked = (mark: string) => environments.find((names) => names.includes(`SHELL_MARK=${mark}`)) ?? [];
      expect(marked('one')).toContain(`PATH=${process.env.PATH}`);
      expect(marked('two')).toContain(`PATH=${path}`);
      expect(pidsOf(project, 'supervisor')).toHaveLength(1);
      await project.run('down');
      expect([(await first.ended).exitCode, (await second.ended).exitCode]).toEqual([1, 1]);
    },
    LONG_MS,
  );

  it(
    'has each agent use the key of the shell that asked for it, and keeps none on the disk',
    async () => {
      const project = await openTrusted();
      const provider = await startProvider({ refuses: { status: 400, message: 'not today' } });
      const started = ['one', 'two'].map((mark) => {
        const key = { ANTHROPIC_API_KEY: `sk-ant-of-shell-${mark}` };
        return project.startWith(key, 'run', ...modelOf(mark, provider.url), REQUEST);
      });
      await until(() => (new Set(provider.keys).size < 2 ? undefined : true));

      const used = provider.calls.map((call, at) => [call.split(' ').at(-1), provider.keys[at]]);
      for (const mark of ['one', 'two']) {
        const keys = used.filter(([model]) => model === `model-${mark}`).map(([, key]) => key);
        expect(new Set(keys)).toEqual(new Set([`Bearer sk-ant-of-shell-${mark}`]));
      }
      expect(pidsOf(project, 'supervisor')).toHaveLength(1);
      expect(filesWith(dirname(dirname(project.apiSocket)), 'sk-ant-of-shell')).toEqual([]);
      await project.run('down');
      await Promise.all(started.map((devs) => devs.ended));
    },
    LONG_MS,
  );

  it(
    'lets go between two decisions where a newer devs asks for it, and the agent does not notice',
    async () => {
      const project = await openTrusted();
      const devs = project.start('run', REQUEST);
      const agent = await atWork(project);
      const [before] = pidsOf(project, 'supervisor');

      const client = await connectSupervisor(project.apiSocket);
      await client?.port.shutdown('leave').catch(() => {});
      const after = await until(() => pidsOf(project, 'supervisor').find((pid) => pid !== before));

      expect(after).not.toBe(before);
      expect(pidsOf(project, 'agent')).toContain(agent);
      expect((await devs.ended).exitCode).toBe(0);
    },
    LONG_MS,
  );

  it(
    'that is told to end while an agent works is started again, and the agent does not notice',
    async () => {
      const project = await openTrusted();
      project.start('run', REQUEST);
      const agent = await atWork(project);
      const [before = 0] = pidsOf(project, 'supervisor');
      kill(project, 'follower');

      process.kill(before, 'SIGTERM');

      await until(() => pidsOf(project, 'supervisor').find((pid) => pid !== before));
      expect(pidsOf(project, 'agent')).toContain(agent);
      expect((await ended(project)).outcome.kind).toBe('done');
    },
    LONG_MS,
  );

  it(
    'in the foreground is the only one, and ends well with Ctrl-C',
    async () => {
      const project = await openTrusted();
      const devs = project.start('up', '--foreground');
      const client = await until(() => connectSupervisor(project.apiSocket));
      await client.port.status();
      expect(await project.run('up', '--foreground')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(/^devs: a supervisor of yours runs already\./),
      });

      process.kill(devs.pid, 'SIGINT');

      expect((await devs.ended).exitCode).toBe(0);
    },
    LONG_MS,
  );
});
