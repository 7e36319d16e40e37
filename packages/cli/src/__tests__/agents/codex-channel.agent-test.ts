import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunReport } from '@devs/core';
import { until } from '@devs/core/testing';
import { parseScenario, startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FrontDoor, openFrontDoor } from '../../terminal/__tests__/front-door.js';
import { runDevs } from '../run-devs.js';

const CODEX = process.env.DEVS_CODEX ?? '';

const WORKFLOW = `name: one-step
description: Make one file
steps:
  - id: make
    type: action
    instructions: Make the file made.txt and commit it.
`;

const MAKE = `touch made.txt && git add made.txt && git -c user.name=a -c user.email=a@b commit -qm Made && echo '[made]'`;

/** The first time it only sleeps, in a command that says whose it is. */
const scenario = (sleeper: string) => `name: sleeps-first
rules:
  - when: { toolResult: { contains: The workflow is complete } }
    reply: Done.
  - when: { toolResult: { contains: "[made]" } }
    reply:
      - tool: { name: mcp__devs__workflow_advance, input: { output: made.txt is there } }
  - when: { prompt: Make it now }
    reply:
      - run: ${MAKE}
  - when: { toolResult: { contains: Make the file made.txt } }
    times: 1
    reply:
      - run: ${sleeper}
  - when: { toolResult: { contains: Make the file made.txt } }
    reply:
      - run: ${MAKE}
  - when: { api: openai-responses }
    reply:
      - delay: 6s
      - tool: { name: mcp__devs__workflow_status, input: {} }
default: Done.
`;

const ESCALATED = `name: asks
rules:
  - when: { toolResult: { contains: The workflow is complete } }
    reply: Done.
  - when: { toolResult: { contains: "[made]" } }
    reply:
      - tool: { name: mcp__devs__workflow_advance, input: { output: made.txt is there } }
  - when: { toolResult: { contains: Make the file made.txt } }
    reply:
      - tool:
          name: exec_command
          input: { cmd: "${MAKE}", sandbox_permissions: require_escalated, justification: The file is wanted }
  - when: { api: openai-responses }
    reply:
      - delay: 6s
      - tool: { name: mcp__devs__workflow_status, input: {} }
default: Done.
`;

/** A project, and the home of a user of Codex that nothing of devs was in. */
async function openDoor(text: string, allowed: string): Promise<FrontDoor> {
  const model = await startModelServer({ scenario: parseScenario(text) });
  onTestFinished(() => model.close());
  const door = openFrontDoor([process.execPath, CODEX], {
    command: 'codex',
    version: 'its own',
    env: { FAKE_KEY: 'none' },
  });
  mkdirSync(join(door.home, '.codex'));
  writeFileSync(
    join(door.home, '.codex', 'config.toml'),
    `model = "gpt-5.5-codex"
model_provider = "fake"
${allowed}
[model_providers.fake]
name = "fake"
base_url = "${model.url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 1
stream_max_retries = 1
[features]
plugins = false
apps = false
remote_plugin = false
daemon_auto_start = false
`,
  );
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: door.project });
  git('init', '--quiet', '--initial-branch=main');
  git('-c', 'user.name=u', '-c', 'user.email=u@localhost', 'commit', '--quiet', '--allow-empty', '--message', 'Begin');
  await door.run('init');
  mkdirSync(join(door.project, '.devs', 'workflows'), { recursive: true });
  writeFileSync(join(door.project, '.devs', 'workflows', 'one-step.yaml'), WORKFLOW);
  await door.run('config', '--trust');
  await door.run('config', '--trust-folder');
  door.open(['run', 'one-step', 'Make the file', '--agent', 'codex'], { columns: 100, rows: 40 });
  return door;
}

async function reportOf(door: FrontDoor, isThere: (report: RunReport) => boolean): Promise<RunReport> {
  let found: RunReport | undefined;
  let last = '';
  await until(
    async () => {
      last = (await door.run('report', '--json')).stdout;
      found = last.startsWith('{') ? (JSON.parse(last) as RunReport) : undefined;
      return found !== undefined && isThere(found);
    },
    () => last,
  );
  return found as RunReport;
}

interface Found {
  readonly pid: number;
  readonly line: string;
}

/** Processes of this test, by its home in their environment. */
const processes = (home: string): readonly Found[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      const environment = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/environ`, 'utf8') : '';
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return environment.includes(`HOME=${home}\0`) ? [{ pid: Number(name), line }] : [];
    } catch {
      return []; // it has ended
    }
  });

const SLEEPS = /^sleep 600/;
const sleepers = (door: FrontDoor) => processes(door.home).filter(({ line }) => SLEEPS.test(line));
const commits = (door: FrontDoor) =>
  execFileSync('git', ['log', '--all', '--format=%s'], { cwd: door.project, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line === 'Made').length;

const VICTIMS: Readonly<Record<string, RegExp>> = {
  agent: / codex-server /,
  server: /bin\/codex app-server/,
  supervisor: /--supervise/,
};
const FREE = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"';

describe.skipIf(CODEX === '')('a run with a real Codex, over its app server', () => {
  it('asks for a permission, which is answered by its number in another folder', async () => {
    const door = await openDoor(ESCALATED, 'approval_policy = "on-request"\nsandbox_mode = "read-only"');
    const { escalations } = await reportOf(door, (report) => report.escalations.length > 0);
    expect(escalations).toMatchObject([{ question: 'The agent asks for a permission.' }]);
    const elsewhere = mkdtempSync(join(tmpdir(), 'devs-elsewhere-'));
    onTestFinished(() => rmSync(elsewhere, { recursive: true, force: true }));
    const answer = ['answer', escalations[0]?.id ?? '', '1'];
    const { stdout, exitCode } = await runDevs(answer, { cwd: elsewhere, env: door.env });
    expect({ stdout, exitCode }).toMatchObject({ exitCode: 0 });
    const report = await reportOf(door, ({ endedAt }) => endedAt !== undefined);
    expect(report).toMatchObject({ outcome: { kind: 'done' } });
    expect(commits(door)).toBe(1);
  }, 240_000);

  it.each(Object.entries(VICTIMS))(
    'is done once though its %s is killed at work',
    async (_, isVictim) => {
      const door = await openDoor(scenario('sleep 600.12'), FREE);
      await until(() => sleepers(door).length > 0);
      for (const { pid, line } of processes(door.home)) if (isVictim.test(line)) process.kill(pid, 'SIGKILL');
      const report = await untilDone(door);
      expect(report).toMatchObject({ outcome: { kind: 'done' } });
      expect(commits(door)).toBe(1);
    },
    240_000,
  );
});

/** A supervisor that was killed leaves the agent asleep, which is then told to go to work. */
async function untilDone(door: FrontDoor): Promise<RunReport> {
  const { id } = await reportOf(door, () => true);
  return reportOf(door, ({ endedAt }) => {
    if (sleepers(door).length > 0) void door.run('interrupt', id, 'Make it now');
    return endedAt !== undefined;
  });
}
