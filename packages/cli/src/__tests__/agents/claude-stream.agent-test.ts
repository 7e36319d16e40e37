import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from '@devs/core';
import { until } from '@devs/core/testing';
import { type ModelServer, parseScenario, startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FrontDoor, openFrontDoor } from '../../terminal/__tests__/front-door.js';
import { runDevs } from '../run-devs.js';

const CLAUDE = process.env.DEVS_CLAUDE_CODE ?? '';

const WORKFLOW = `name: one-step
description: Make one file
steps:
  - { id: make, type: action, instructions: Make the file made.txt. }
`;

const WRITE = '- tool: { name: Write, input: { file_path: made.txt, content: It is made } }';

/** What the model does when it knows its step; then the step and the run are done. */
const scenarioOf = (work: string, after: string) => `name: stream
rules:
  - when: { toolResult: { contains: The workflow is complete } }
    reply: Done.
  - when: { toolResult: { contains: Make the file made.txt } }
    reply:
      ${work}
  - when: { toolResult: { contains: ${JSON.stringify(after)} } }
    reply:
      - tool: { name: mcp__devs__workflow_advance, input: { output: made.txt is there } }
  - when: { api: anthropic-messages, offers: Bash }
    reply:
      - tool: { name: mcp__devs__workflow_status, input: {} }
default: Done.
`;

interface FirstHour extends FrontDoor {
  readonly model: ModelServer;
}

/** A home without any settings, a folder that Claude Code never saw, and a key. */
async function openFirstHour(scenario: string): Promise<FirstHour> {
  const model = await startModelServer({ scenario: parseScenario(scenario) });
  onTestFinished(() => model.close());
  const door = openFrontDoor([CLAUDE], {
    version: 'its own',
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'sk-ant-api03-of-no-use',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  });
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: door.project });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'user');
  git('config', 'user.email', 'user@localhost');
  writeFileSync(join(door.project, 'README.md'), '# shop\n');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  await door.run('init');
  mkdirSync(join(door.project, '.devs', 'workflows'), { recursive: true });
  writeFileSync(join(door.project, '.devs', 'workflows', 'one-step.yaml'), WORKFLOW);
  await door.run('config', '--trust');
  await door.run('config', '--trust-folder');
  return { ...door, model };
}

const start = async (door: FrontDoor) => {
  const started = await door.run('run', '--detach', 'one-step', 'Make the file', '--agent', 'claude');
  expect(started).toMatchObject({ exitCode: 0 });
};

async function reportOf(door: FrontDoor): Promise<RunReport | undefined> {
  const { stdout } = await door.run('report', '--json');
  return stdout.startsWith('{') ? (JSON.parse(stdout) as RunReport) : undefined;
}

async function untilDone(door: FrontDoor): Promise<RunReport> {
  let report: RunReport | undefined;
  await until(
    async () => {
      report = await reportOf(door);
      return report?.endedAt !== undefined;
    },
    () => JSON.stringify(report),
  );
  return report as RunReport;
}

interface Question {
  readonly id: string;
  readonly diagnosis: string;
}

/** Asked and answered in a folder that has nothing to do with the project. */
async function askedElsewhere(door: FrontDoor): Promise<{ readonly question: Question; readonly elsewhere: string }> {
  const elsewhere = join(door.home, 'elsewhere');
  mkdirSync(elsewhere);
  let questions: readonly Question[] = [];
  await until(
    async () => {
      const { stdout } = await runDevs(['answer', '--json'], { cwd: elsewhere, env: door.env });
      questions = stdout.startsWith('{') ? (JSON.parse(stdout) as { questions: Question[] }).questions : [];
      return questions.length === 1;
    },
    () => JSON.stringify(questions),
  );
  return { question: questions[0] as Question, elsewhere };
}

/** Prompts that the agent's own records hold, in all of its conversations. */
const promptsIn = (home: string): readonly string[] =>
  readdirSync(join(home, '.claude', 'projects'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl') && !name.includes('subagents'))
    .flatMap((name) => readFileSync(join(home, '.claude', 'projects', name), 'utf8').split('\n'))
    .filter((line) => line.includes('"promptSource":"sdk"'));

const isRunning = (command: string): boolean =>
  readdirSync('/proc').some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(command);
    } catch {
      return false; // it has ended
    }
  });

describe.skipIf(CLAUDE === '')('a run with a real Claude Code by stream-json', () => {
  it('[H23] comes to its end in a fresh home and an unknown folder, without a question', async () => {
    const door = await openFirstHour(scenarioOf(WRITE, 'File created'));
    await start(door);

    expect(await untilDone(door)).toMatchObject({ outcome: { kind: 'done' }, escalations: [], crashes: [] });
    expect(promptsIn(door.home)).toHaveLength(1);
    expect(existsSync(join(door.home, '.claude', 'settings.json'))).toBe(false);
  });

  it('asks for a permission with its command, and continues by an answer from another folder', async () => {
    const door = await openFirstHour(scenarioOf("- run: touch made.txt && echo '[made]'", '[made]'));
    await start(door);
    const { question, elsewhere } = await askedElsewhere(door);
    expect(question.diagnosis).toContain("touch made.txt && echo '[made]'");
    expect(question.diagnosis).toContain('1. Yes');

    const answered = await runDevs(['answer', question.id, '1'], { cwd: elsewhere, env: door.env });
    expect(answered.stdout).toContain("the agent's own record shows your answer");
    expect(await untilDone(door)).toMatchObject({ outcome: { kind: 'done' } });
  });

  it('tells the model the words of a refusal', async () => {
    const door = await openFirstHour(scenarioOf("- run: touch made.txt && echo '[made]'", 'Leave that alone'));
    await start(door);
    const { question, elsewhere } = await askedElsewhere(door);
    await runDevs(['answer', question.id, 'Leave that alone'], { cwd: elsewhere, env: door.env });

    expect(await untilDone(door)).toMatchObject({ outcome: { kind: 'done' } });
    expect(JSON.stringify(door.model.requests().at(-1)?.body)).toContain('Leave that alone');
  });

  it('is interrupted in the middle of a long command, which is gone', async () => {
    const endless = 'until test -e never-1795; do sleep 1; done';
    const door = await openFirstHour(scenarioOf(`- run: ${endless}`, 'interrupted'));
    await start(door);
    await until(
      () => isRunning(endless),
      () => 'the command runs',
    );
    const run = (await reportOf(door))?.id ?? '';
    const { stdout, exitCode } = await door.run('interrupt', run);

    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    await until(
      () => !isRunning(endless),
      () => 'the command is gone',
    );
    await door.run('stop', run, '--now');
  });

  it('is done once after kill -9 of the agent, of the program that holds it, and of the supervisor', async () => {
    const slow = `- delay: 3s\n      ${WRITE}`;
    const door = await openFirstHour(scenarioOf(slow, 'File created'));
    await start(door);
    const killed = new Set<number>();
    for (const whose of ['agent', 'holder', 'supervisor'] as const) {
      let victims = { agent: 0, holder: 0, supervisor: 0 };
      await until(
        async () => {
          const [hosted] = (await door.hosted()).filter(({ exit, pid }) => exit === undefined && !killed.has(pid));
          const holder = hosted?.pid ?? 0;
          victims = { agent: childOf(holder), holder, supervisor: await door.supervisorPid() };
          return victims.agent !== 0 && !killed.has(victims.agent);
        },
        () => `an agent before the kill of its ${whose}`,
      );
      process.kill(victims[whose], 'SIGKILL');
      killed.add(victims.agent).add(victims.holder);
    }
    const report = await untilDone(door);
    expect(report).toMatchObject({ outcome: { kind: 'done' }, steps: [{ status: 'done' }] });
    expect(report.steps).toHaveLength(1);
  });
});

function childOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0] ?? 0);
  } catch {
    return 0;
  }
}
