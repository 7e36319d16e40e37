import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rounds } from '@devs/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openRunProject, type RunProject } from './run-project.js';

/** 500 in `.ci/soak`. */
const TASKS = rounds(10);
const MB = 1024 * 1024;

const WORKFLOW = `name: many
description: One task after another
steps:
  - { id: plan, type: action, instructions: Call workflow_set_tasks with every file. }
  - { id: files, type: loop }
  - { id: end, type: action, instructions: Say that all is done. }
loops:
  files:
    - { id: write, instructions: 'Write the file of {task.title}.' }
    - { id: read, instructions: 'Read the file of {task.title}.' }
`;

const envelope = (tool: string, input: object) =>
  JSON.stringify({
    schema_version: '1.0',
    turn_index: 0,
    agent_id: 'worker',
    phase: 'work',
    thought: { reasoning: 'The next thing', plan: 'One thing at a time' },
    action: { tool_name: tool, arguments: input },
  });

/** A model that remembers nothing: each rule looks at what the agent has just observed. */
function scenarioOf(tasks: readonly string[]): object {
  const observed = (tool: string, ...texts: readonly string[]) => [`OBSERVATION {"tool_name":"${tool}`, ...texts];
  const rule = (prompt: readonly string[], say: string) => ({ when: { prompt }, reply: [{ say }] });
  const advance = (output: string) => envelope('workflow_advance', { output });
  return {
    name: 'many',
    rules: [
      rule(observed('workflow_', 'End your turn now'), envelope('end_turn', { message: 'Waiting.' })),
      rule(observed('workflow_', '"status":"complete"'), envelope('end_turn', { message: 'All is done.' })),
      rule(observed('workflow_set_tasks'), advance('All files are tasks.')),
      rule(
        observed('workflow_', '"step":"plan"'),
        envelope('workflow_set_tasks', { loopId: 'files', tasks: tasks.map((id) => ({ id, title: id })) }),
      ),
      ...tasks.flatMap((id) => [
        rule(
          observed('workflow_', `"id":"${id}"`, '"subStep":"write"'),
          envelope('write_file', {
            path: `out/${id}.txt`,
            content: `${id} was here.\n${'Words to fill a context. '.repeat(20)}\n`,
          }),
        ),
        rule(
          observed('workflow_', `"id":"${id}"`, '"subStep":"read"'),
          envelope('read_file', { path: `out/${id}.txt` }),
        ),
      ]),
      rule(observed('write_file'), advance('Written.')),
      rule(observed('read_file'), advance('Read.')),
      rule(observed('workflow_', '"step":"end"'), advance('All is done.')),
    ],
    default: [{ say: envelope('workflow_status', {}) }],
  };
}

/** The most memory that processes of this kind have had so far. */
function watchMemory(project: RunProject) {
  const peaks: Record<string, number> = {};
  const look = () => {
    for (const { pid, kind } of project.processes()) {
      const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`)) ?? [];
      peaks[kind] = Math.max(peaks[kind] ?? 0, Number(kilobytes) * 1024);
    }
  };
  const timer = setInterval(look, 500);
  onTestFinished(() => clearInterval(timer));
  return peaks;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return ''; // gone meanwhile
  }
}

const bytesOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);

it.skipIf(process.platform !== 'linux')(
  `does each of ${TASKS} tasks once, in bounded memory and files`,
  async () => {
    const tasks = Array.from({ length: TASKS }, (_, index) => `t${String(index + 1).padStart(4, '0')}`);
    const folder = mkdtempSync(join(tmpdir(), 'devs-long-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const scenario = join(folder, 'scenario.json');
    writeFileSync(scenario, JSON.stringify(scenarioOf(tasks)));
    const project = openRunProject({
      config: 'agent: builtin\nreinjection: { tas: docs/tas.md, prd: docs/prd.md }\nmodel: { window: 40000 }\n',
      scenario,
      workflows: { many: WORKFLOW },
    });
    project.git('config', 'user.name', 'user');
    project.git('config', 'user.email', 'user@localhost'); // devs commits what the run leaves
    await project.run('config', '--trust');
    const peaks = watchMemory(project);
    const devs = project.start('run', 'many', 'Write and read every file');
    const { exitCode, stdout, stderr } = await devs.ended;

    expect(exitCode, stdout.slice(-2_000) + stderr).toBe(0);
    const report = await project.report();
    expect(report.outcome.kind).toBe('done');
    expect(report.tasks.filter(({ status }) => status === 'done')).toHaveLength(TASKS);
    const steps = report.steps.map(({ at }) => at);
    expect(steps).toHaveLength(2 * TASKS + 2);
    expect(new Set(steps).size).toBe(steps.length);
    const store = bytesOf(join(project.folder, '.devs'));
    const numbers = {
      turns: report.usage.turns,
      inputTokens: report.usage.inputTokens,
      renewals: report.renewals.length,
      reinjections: report.reinjections,
      storeMB: store / MB,
      peakMB: Object.fromEntries(Object.entries(peaks).map(([kind, bytes]) => [kind, Math.round(bytes / MB)])),
    };
    if (process.env.DEVS_ROUNDS_FACTOR !== undefined)
      process.stderr.write(`${TASKS} tasks: ${JSON.stringify(numbers)}\n`);
    expect(store, JSON.stringify(numbers)).toBeLessThan(20 * MB + TASKS * 50_000);
    for (const peak of Object.values(peaks)) expect(peak, JSON.stringify(numbers)).toBeLessThan(600 * MB);
  },
  30 * 60_000,
);
