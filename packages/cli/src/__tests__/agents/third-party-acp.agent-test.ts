import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { parseScenario, startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FrontDoor, openFrontDoor } from '../../terminal/__tests__/front-door.js';
import { addWorkflow, beginProject, questionsOf, reportOf } from './first-hour.js';

const QWEN = process.env.DEVS_QWEN ?? '';

/** devs knows nothing of this agent but the command that speaks ACP. */
const CONFIG = `agent: qwen
agents: { qwen: { acp: [qwen, --acp] } }
`;

const SCENARIO = `name: third-party
rules:
  - when: { toolResult: { contains: The workflow is complete } }
    reply: Done.
  - when: { toolResult: { contains: Make the file made.txt } }
    reply:
      - run: touch made.txt && git add made.txt && git -c user.name=a -c user.email=a@b commit -qm Made && echo '[made]'
  - when: { toolResult: { contains: "[made]" } }
    reply:
      - tool: { name: mcp__devs__workflow_advance, input: { output: made.txt is there } }
  - when: { toolResult: {} }
    reply:
      - delay: 3s
      - tool: { name: mcp__devs__workflow_status, input: {} }
  - when: { offers: run_shell_command }
    reply:
      - tool: { name: mcp__devs__workflow_status, input: {} }
default: Done.
`;

async function openProject(): Promise<FrontDoor> {
  const model = await startModelServer({ scenario: parseScenario(SCENARIO) });
  onTestFinished(() => model.close());
  const door = openFrontDoor([process.execPath, QWEN], {
    command: 'qwen',
    version: 'its own',
    env: { OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: 'qwen3-coder' },
  });
  mkdirSync(join(door.home, '.qwen'));
  writeFileSync(
    join(door.home, '.qwen', 'settings.json'),
    JSON.stringify({ security: { auth: { selectedType: 'openai' } }, privacy: { usageStatisticsEnabled: false } }),
  );
  beginProject(door);
  addWorkflow(door);
  writeFileSync(join(door.project, '.devs', 'config.yaml'), CONFIG);
  await door.run('config', '--trust');
  return door;
}

describe.skipIf(QWEN === '')('an agent of a third party that speaks ACP, by configuration alone', () => {
  it('runs to the end, after its permissions were answered', async () => {
    const door = await openProject();
    await door.run('run', '--detach', 'one-step', 'Make the file');
    await until(
      async () => (await questionsOf(door)).length === 1,
      async () => `${(await door.run('status')).stdout}\n${(await door.run('log')).stdout}`,
    );
    const [question] = await questionsOf(door);
    expect(question?.diagnosis).toContain('touch made.txt');
    expect((await door.run('answer', question?.id ?? '', 'yes')).stdout).toContain("the agent's own record shows");
    // It asks for the tools of devs, too: its requests do not name the server of a tool.
    await until(async () => {
      for (const { id } of await questionsOf(door)) await door.run('answer', id, 'yes');
      return (await reportOf(door))?.endedAt !== undefined;
    });
    expect(await reportOf(door)).toMatchObject({ outcome: { kind: 'done' }, agent: 'qwen', crashes: [] });
  }, 600_000);
});
