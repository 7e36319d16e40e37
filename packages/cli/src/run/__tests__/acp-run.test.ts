import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { openFrontDoor } from '../../terminal/__tests__/front-door.js';

const AGENT = fileURLToPath(new URL('../../../../builtin-agent/fixtures/acp-agent.mjs', import.meta.url));

const WORKFLOW = `name: tiny
description: Two steps
steps:
  - { id: make, type: action, instructions: Make it }
  - { id: check, type: action, instructions: Look at it }
`;

/** A user in a repository with an agent of their own, which is named in the settings and nowhere else. */
async function openProject() {
  const door = openFrontDoor(['true'], { command: 'unused' });
  const { project } = door;
  mkdirSync(join(project, '.devs', 'workflows'), { recursive: true });
  writeFileSync(join(project, '.devs', 'workflows', 'tiny.yaml'), WORKFLOW);
  const agents = JSON.stringify({ mine: { acp: [process.execPath, AGENT] } });
  writeFileSync(join(project, '.devs', 'config.yaml'), `workflow: tiny\nagents: ${agents}\n`);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'pipe' });
  git('init', '-q');
  git('-c', 'user.name=Anna', '-c', 'user.email=anna@example.com', 'commit', '-qm', 'First', '--allow-empty');
  await door.run('config', '--trust');
  return door;
}

describe('devs run with an agent that speaks ACP', () => {
  it('takes a workflow to its end, by its entry in the settings alone', async () => {
    const { run } = await openProject();
    const { exitCode, stdout, stderr } = await run('run', '--agent', 'mine', '[[workflow]] Say hello');

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/Run run-\w+: done/);
    expect(JSON.parse((await run('report', '--json')).stdout)).toMatchObject({
      agent: 'mine',
      outcome: { kind: 'done' },
      steps: [
        { at: 'make', status: 'done', said: 'Step 1 is done.' },
        { at: 'check', status: 'done', said: 'Step 2 is done.' },
      ],
    });
  });

  it('asks the user for a permission, and brings the answer to the agent', async () => {
    const { run } = await openProject();
    const started = await run('run', '--detach', '--agent', 'mine', '[[run make deploy]]');
    expect(started).toMatchObject({ exitCode: 0 });
    const questions = async () =>
      (JSON.parse((await run('answer', '--json')).stdout) as { questions: { id: string; diagnosis: string }[] })
        .questions;
    await until(async () => (await questions()).length === 1);
    const [question] = await questions();
    expect(question?.diagnosis).toMatch(/^make deploy\n1\. Yes\n2\. Yes, always\n3\. No\n/);

    expect((await run('answer', question?.id ?? '', '1')).stdout).toContain("the agent's own record shows your answer");
    await until(async () => (await questions()).length === 0);
  });

  it('[H24] asks once for a permission, also where the agent ended before the answer came', async () => {
    const { run } = await openProject();
    const paused = await run('run', '--agent', 'mine', '[[run make deploy]] [[workflow]]');
    const id = /Run (run-\w+) needs you/.exec(paused.stdout)?.[1] ?? '';
    expect(paused.exitCode).toBe(1);

    expect((await run('answer', id, 'yes')).stdout).toContain('Stored but not delivered');
    const resumed = await run('resume', id);

    expect(resumed.exitCode).toBe(0);
    expect(resumed.stdout).toMatch(/Run run-\w+: done/);
  });
});
