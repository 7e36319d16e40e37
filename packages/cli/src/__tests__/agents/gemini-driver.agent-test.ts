import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { createGeminiDriver } from '@devs/drivers';
import { parseScenario } from '@devs/scripted-model';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../../is-alive.js';
import { driveAgent, openScene } from './driven-agent.js';

const GEMINI = process.env.DEVS_GEMINI ?? '';

const scenario = (file: string) => `name: gemini
rules:
  - when: { system: Task Routing AI }
    reply: '{"complexity_reasoning":"scripted","complexity_score":80}'
  - when: { purpose: compaction }
    reply: <state_snapshot>All is well.</state_snapshot>
  - when: { prompt: Sleep }
    reply:
      - run: echo $$ > ${file}; exec sleep 600
  - when: { prompt: Remember }
    reply: I will.
default: Done.
`;

async function open() {
  process.env.TMPDIR = join(homedir(), '.cache', 'devs-tests'); // its settings are skipped where others can write
  mkdirSync(process.env.TMPDIR, { recursive: true, mode: 0o700 });
  const scene = await openScene();
  const pidFile = join(scene.folder, 'pid');
  scene.model.play(parseScenario(scenario(pidFile)));
  const agent = await driveAgent(createGeminiDriver({ clock: { now: Date.now } }), scene, {
    command: GEMINI,
    env: {
      HOME: scene.home,
      PATH: process.env.PATH ?? '',
      TERM: 'xterm-256color',
      GEMINI_API_KEY: 'scripted',
      GOOGLE_GEMINI_BASE_URL: scene.model.url,
    },
    trustsFolder: true,
    userArgs: ['--approval-mode', 'yolo'],
    unattended: true,
    systemPrompt: 'The word is heron.',
  });
  await agent.launch();
  await until(() => agent.entry().state.activity === 'idle', agent.describe);
  return { scene, agent, pidFile };
}

describe.skipIf(GEMINI === '')('a real Gemini CLI', () => {
  it('takes prompts, is interrupted with its command, compacts, clears and ends', async () => {
    const { agent, scene, pidFile } = await open();
    expect(await agent.prompt('Remember this\nand that')).toMatchObject({ kind: 'delivered' });
    await until(() => agent.last('turn.ended') !== undefined, agent.describe);
    await until(() => agent.last('usage.measured')?.window === 'known model', agent.describe);
    const told = scene.model.requests().find(({ stream }) => stream);
    expect(JSON.stringify(told?.messages)).toContain('The word is heron.');
    const first = agent.last('conversation.changed')?.conversationId;

    await agent.untilIdle();
    expect(await agent.prompt('Sleep now')).toMatchObject({ kind: 'delivered' });
    await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8').trim() !== '', agent.describe);
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await agent.press('\u001b');
    await until(() => agent.last('turn.interrupted') !== undefined, agent.describe);
    await until(() => !isAlive(pid));

    await agent.untilIdle();
    await agent.command('compact');
    await agent.untilIdle();
    expect(await agent.command('clear')).toMatchObject({ type: 'conversation.changed', before: first });
    await agent.untilIdle();
    await agent.exit();
  }, 300_000);

  it('opens its conversation again after kill -9', async () => {
    const { agent, scene } = await open();
    await agent.prompt('Remember this');
    await until(() => agent.last('turn.ended') !== undefined, agent.describe);
    const id = agent.last('conversation.changed')?.conversationId ?? '';
    await agent.kill();
    await agent.launch({ conversation: { kind: 'resume', id }, firstPrompt: 'Continue now' });
    const asked = () =>
      scene.model.requests().findLast(({ stream, prompt }) => stream && prompt.includes('Continue now'));
    await until(() => asked() !== undefined, agent.describe);
    expect(JSON.stringify(asked()?.messages)).toContain('Remember this');
    expect(agent.last('conversation.changed')?.conversationId).toBe(id);
  }, 300_000);
});
