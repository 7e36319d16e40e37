import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { parseScenario, startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FrontDoor, openFrontDoor } from '../../terminal/__tests__/front-door.js';
import { addWorkflow, beginProject, questionsOf, reportOf } from './first-hour.js';
import { OPENCODE_OFFLINE, setUpOpencode } from './opencode-home.js';

const OPENCODE = process.env.DEVS_OPENCODE ?? '';

/** `work`: what the agent runs when it has read its step. */
const scenarioFor = (work: string) => `name: first-run
rules:
  - when: { toolResult: { contains: The workflow is complete } }
    reply: Done.
  - when: { toolResult: { contains: Make the file made.txt } }
    reply:
      - run: ${JSON.stringify(work)}
  - when: { toolResult: { contains: "[made]" } }
    reply:
      - tool: { name: mcp__devs__workflow_advance, input: { output: made.txt is there } }
  - when: { toolResult: {} }
    reply:
      - delay: 3s
      - tool: { name: mcp__devs__workflow_status, input: {} }
  - when: { offers: bash }
    reply:
      - tool: { name: mcp__devs__workflow_status, input: {} }
default: Done.
`;

const MAKE =
  "touch made.txt && git add made.txt && git -c user.name=a -c user.email=a@b commit -qm Made && echo '[made]'";

/** The home of a user who has only named their provider, in a project in which this agent never was. */
async function openFirstHour(work: string): Promise<FrontDoor> {
  const model = await startModelServer({ scenario: parseScenario(scenarioFor(work)) });
  onTestFinished(() => model.close());
  const door = openFrontDoor([OPENCODE], { command: 'opencode', version: 'its own', env: OPENCODE_OFFLINE });
  setUpOpencode(door.env.XDG_CONFIG_HOME ?? '', model.url);
  beginProject(door);
  await door.run('init');
  addWorkflow(door);
  await door.run('config', '--trust');
  return door;
}

describe.skipIf(OPENCODE === '')('the first run with an untouched opencode', () => {
  it('comes to its end without a question', async () => {
    const door = await openFirstHour(MAKE);
    const { exitCode, stdout, stderr } = await door.run('run', 'one-step', 'Make the file', '--agent', 'opencode');
    expect({ exitCode, stderr }, stdout).toEqual({ exitCode: 0, stderr: '' });
    expect(await reportOf(door)).toMatchObject({ outcome: { kind: 'done' }, escalations: [], crashes: [] });
  }, 900_000);

  it('asks for a permission with its choices, and takes the answer that is given in another folder', async () => {
    const outside = 'mkdir -p ../outside && touch ../outside/made';
    const door = await openFirstHour(`${outside} && ${MAKE}`);
    await door.run('run', '--detach', 'one-step', 'Make the file', '--agent', 'opencode');
    await until(async () => (await questionsOf(door)).length === 1);
    const [question] = await questionsOf(door);
    expect(question?.diagnosis).toContain('mkdir -p ../outside');
    expect(question?.diagnosis).toContain('1. Allow once');
    expect((await door.run('answer', question?.id ?? '', '1')).stdout).toContain("the agent's own record shows");
    await until(async () => (await reportOf(door))?.endedAt !== undefined);
    expect(await reportOf(door)).toMatchObject({ outcome: { kind: 'done' } });
    expect(existsSync(join(door.project, '.devs'))).toBe(true);
  }, 900_000);
});
