import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { openFrontDoor } from '../../terminal/__tests__/front-door.js';

const WORKFLOW = `name: tiny
description: One file
steps:
  - { id: make, type: action, instructions: Write hello.txt and commit it }
`;

const turn = (tool: string, args: object) => ({
  reply: [
    {
      json: {
        schema_version: '1.0',
        turn_index: 0,
        agent_id: 'tiny',
        phase: 'make',
        thought: { reasoning: 'As told.', plan: 'Go on' },
        action: { tool_name: tool, arguments: args },
      },
    },
  ],
});
const rule = (prompt: readonly string[], tool: string, args: object) => ({ when: { prompt }, ...turn(tool, args) });
const COMMIT = 'git add hello.txt && git commit -qm Hello';

/** It remembers nothing: each rule looks at what the agent has just observed. */
const SCENARIO = {
  name: 'tiny',
  rules: [
    rule(['OBSERVATION {"tool_name":"workflow_', '"status":"complete"'], 'end_turn', { message: 'Done.' }),
    rule(['OBSERVATION {"tool_name":"workflow_', '"step":"make"'], 'write_file', {
      path: 'hello.txt',
      content: 'Hi\n',
    }),
    rule(['OBSERVATION {"tool_name":"write_file"'], 'run_command', { command: ['sh', '-c', COMMIT] }),
    rule(['OBSERVATION {"tool_name":"run_command"'], 'workflow_advance', { output: 'Made hello.txt' }),
  ],
  default: turn('workflow_status', {}).reply,
};

/** What a run says on a machine that has no bubblewrap. */
const WITHOUT_SANDBOX = /^devs: Commands run without a sandbox: bubblewrap is not installed.*\n/;

const MODEL = ['--provider', 'scripted', '--scenario', '.devs/scenario.json'];

/** A user in a repository whose agent is the built-in one, with a model that follows a script. */
async function openProject() {
  const door = openFrontDoor(['true'], { command: 'unused' });
  const { project } = door;
  mkdirSync(join(project, '.devs', 'workflows'), { recursive: true });
  writeFileSync(join(project, '.devs', 'workflows', 'tiny.yaml'), WORKFLOW);
  writeFileSync(join(project, '.devs', 'scenario.json'), JSON.stringify(SCENARIO));
  writeFileSync(
    join(project, '.devs', 'config.yaml'),
    'agent: builtin\nworkflow: tiny\nchecks: [[test, -f, hello.txt]]\n',
  );
  writeFileSync(join(project, 'README.md'), '# Shop\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'pipe' });
  git('init', '-q');
  git('config', 'user.name', 'Anna');
  git('config', 'user.email', 'anna@example.com');
  git('add', 'README.md');
  git('commit', '-qm', 'First');
  await door.run('config', '--trust');
  return door;
}

describe('devs run, for real', () => {
  it('takes a workflow to its end in a worktree of its own, and merges what its checks accept', async () => {
    const { run, project } = await openProject();
    const { exitCode, stdout, stderr } = await run('run', ...MODEL, 'Say hello', '--merge');

    expect({ exitCode, stderr: stderr.replace(WITHOUT_SANDBOX, '') }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^Workflow from \.devs\/workflows\/tiny\.yaml\n/);
    expect(stdout).toMatch(
      /Run run-\w+: done.*\nSee what happened.*\nMerged into \w+ as (\w+)\. Look at it with `git show --stat \1`\.\n$/,
    );
    expect(existsSync(join(project, 'hello.txt'))).toBe(true);
    const report = JSON.parse((await run('report', '--json')).stdout);
    expect(report).toMatchObject({
      request: 'Say hello',
      outcome: { kind: 'done' },
      steps: [{ at: 'make', status: 'done', said: 'Made hello.txt' }],
      commits: [{ subject: 'Hello' }],
      checks: [{ command: ['test', '-f', 'hello.txt'], exitCode: 0 }],
    });
    expect(report.usage.turns).toBeGreaterThanOrEqual(4);
    expect((await run('stop', report.id)).stdout).toContain('is over already');
  });

  it('completes even if its output is no longer read', { tags: 'long' }, async () => {
    const { run, runUnread } = await openProject();
    const { exitCode, stderr } = await runUnread('run', ...MODEL, 'Say hello');

    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('The run continues') });
    expect(JSON.parse((await run('report', '--json')).stdout)).toMatchObject({ outcome: { kind: 'done' } });
  });

  it('comes to its end also when its window is closed, or the connection is lost', { tags: 'long' }, async () => {
    const { open, run } = await openProject();
    const window = open(['run', ...MODEL, 'Say', 'hello']);
    await window.until('(step 1 of 1)');
    window.close();
    const report = async () => JSON.parse((await run('report', '--json')).stdout) as { outcome: { kind: string } };
    await until(async () => (await report()).outcome.kind === 'done');
    expect((await run('--json')).stdout).not.toContain('interrupted');
  });

  it('is drawn on a terminal, stopped by Ctrl-C, and continued', { tags: 'long' }, async () => {
    const { open, run } = await openProject();
    const window = open(['run', ...MODEL, 'Say', 'hello']);
    await window.until('(step 1 of 1)');
    window.type('\u0003');
    const text = await window.until(/devs resume run-\w+`; nothing is lost/);
    const id = /devs resume (run-\w+)`; nothing is lost/.exec(text)?.[1] ?? '';
    expect((await run()).stdout).toContain(`devs resume ${id}`);

    const { exitCode, stdout, stderr } = await run('resume', id);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`Run ${id}: done`);
    // In a pipe: what happened before is not told again, only where it is.
    expect(stderr).toContain(`devs: what happened before: devs logs ${id}`);
    expect(stdout).not.toContain('agent builtin, workflow');
    expect(stdout.match(/supervised by/g)).toHaveLength(1);
  });
});
