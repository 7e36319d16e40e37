import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { parseScenario, startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FrontDoor, openFrontDoor } from '../../terminal/__tests__/front-door.js';
import { addWorkflow, beginProject, reportOf } from './first-hour.js';

const GEMINI = process.env.DEVS_GEMINI ?? '';

/** Its router asks a small model for a score before each prompt. */
const SCENARIO = `name: first-run
rules:
  - when: { system: Task Routing AI }
    reply: '{"complexity_reasoning":"scripted","complexity_score":80}'
  - when: { toolResult: { contains: The workflow is complete } }
    reply: Done.
  - when: { toolResult: { contains: Make the file made.txt } }
    reply:
      - run: touch made.txt && git add made.txt && git -c user.name=a -c user.email=a@b commit -qm Made && echo '[made]'
  - when: { toolResult: { contains: "[made]" } }
    reply:
      - tool: { name: mcp__devs__workflow_advance, input: { output: made.txt is there } }
  - when: { offers: run_shell_command }
    reply:
      - tool: { name: mcp__devs__workflow_status, input: {} }
default: Done.
`;

/** Gemini reads no settings of devs in a folder that others can write to, as the usual one for temporary files. */
function useOwnFolder(): void {
  const before = process.env.TMPDIR;
  const folder = join(homedir(), '.cache', 'devs-tests');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env.TMPDIR = folder;
  onTestFinished(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
}

/** The home of a user with a key, in a project in which Gemini never was. `settings`: what they allow. */
async function openFirstHour(settings: object): Promise<FrontDoor> {
  useOwnFolder();
  const model = await startModelServer({ scenario: parseScenario(SCENARIO) });
  onTestFinished(() => model.close());
  const door = openFrontDoor([process.execPath, GEMINI], {
    command: 'gemini',
    version: 'its own',
    env: { GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_TELEMETRY_ENABLED: 'false' },
  });
  mkdirSync(join(door.home, '.gemini'));
  writeFileSync(join(door.home, '.gemini', 'settings.json'), JSON.stringify(settings));
  beginProject(door);
  await door.run('init');
  addWorkflow(door);
  await door.run('config', '--trust');
  await door.run('config', '--trust-folder');
  return door;
}

describe.skipIf(GEMINI === '')('the first run with an untouched Gemini CLI', () => {
  it('comes to its end without a question', async () => {
    const allowed = ['touch', 'git', 'echo'].map((command) => `run_shell_command(${command})`);
    const door = await openFirstHour({ tools: { allowed } });
    const { exitCode, stdout, stderr } = await door.run('run', 'one-step', 'Make the file', '--agent', 'gemini');
    expect({ exitCode, stderr }, stdout).toEqual({ exitCode: 0, stderr: '' });
    expect(await reportOf(door)).toMatchObject({ outcome: { kind: 'done' }, escalations: [], crashes: [] });
  }, 600_000);

  it('asks its user where Gemini asks, and continues when that is answered in its screen', async () => {
    const door = await openFirstHour({});
    await door.run('run', '--detach', 'one-step', 'Make the file', '--agent', 'gemini');
    await until(async () => ((await reportOf(door))?.escalations.length ?? 0) > 0);
    const window = door.open(['attach'], { columns: 110, rows: 40 });
    await window.shows('Allow once');
    window.type('\r');
    await until(async () => (await reportOf(door))?.endedAt !== undefined);
    expect(await reportOf(door)).toMatchObject({ outcome: { kind: 'done' } });
  }, 600_000);
});
