import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '@devs/core';
import { agentChannelContract, type ChannelWorld, until } from '@devs/core/testing';
import { createOpencodeDriver } from '@devs/drivers';
import type { ModelServer } from '@devs/scripted-model';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../../is-alive.js';
import { driveAgent, openScene } from './driven-agent.js';
import { OPENCODE_OFFLINE, setUpOpencode } from './opencode-home.js';

const OPENCODE = process.env.DEVS_OPENCODE ?? '';

/** What reached the model in its turns: the prompt, or the results of its tools. */
const heardBy = (model: ModelServer): readonly string[] =>
  model
    .requests()
    .filter(({ purpose }) => purpose === 'turn')
    .map(({ messages }) => {
      const last = messages.at(-1);
      return [last?.text ?? '', ...(last?.results ?? []).map(({ text }) => text)].join('');
    });

type Driven = Awaited<ReturnType<typeof driveAgent>>;

/** Its first screen takes longer than those of others. */
const untilIdle = (agent: Driven) => until(() => agent.entry().state.activity === 'idle', agent.describe);

async function open() {
  const scene = await openScene();
  setUpOpencode(join(scene.home, '.config'), scene.model.url);
  const driver = createOpencodeDriver({ clock: { now: Date.now } });
  const agent = await driveAgent(driver, scene, {
    command: OPENCODE,
    env: { HOME: scene.home, PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...OPENCODE_OFFLINE },
    unattended: true,
  });
  await agent.launch();
  await untilIdle(agent);
  return { scene, agent };
}

/** The same process for each sentence of the contract, with a conversation of its own. */
function worldOf({ scene, agent }: Awaited<ReturnType<typeof open>>, round: number): ChannelWorld {
  const outside = join(scene.folder, 'outside', String(round));
  mkdirSync(outside, { recursive: true });
  const made = join(outside, 'made');
  const [events, heard] = [agent.events.length, heardBy(scene.model).length];
  const tool = { command: `echo done >> ${made}`, workdir: outside, description: 'Write outside of the project' };
  return {
    channel: agent.channel(),
    get events(): readonly AgentEvent[] {
      return agent.events.slice(events);
    },
    prompts: {
      answer: '@model say "All is well."',
      endless: `@model run "touch ${join(outside, 'began')}; sleep 600"`,
      asks: `@model tool bash ${JSON.stringify(tool)}`,
    },
    done: () => (existsSync(made) ? readFileSync(made, 'utf8').trim().split('\n').length : 0),
    heard: () => heardBy(scene.model).slice(heard),
  };
}

describe.skipIf(OPENCODE === '')('the channel to a real opencode', () => {
  it('keeps the contract of all channels, sentence by sentence', async () => {
    const opened = await open();
    let round = 0;
    for (const [sentence, prove] of Object.entries(agentChannelContract)) {
      round += 1;
      await opened.agent.channel().clear();
      await untilIdle(opened.agent);
      await prove(worldOf(opened, round)).catch((error: unknown) => {
        throw new Error(`${sentence}\n${opened.agent.describe()}`, { cause: error });
      });
    }
    expect(round).toBe(Object.keys(agentChannelContract).length);
  }, 400_000);

  it('ends the command that runs with the turn that is interrupted', async () => {
    const { agent, scene } = await open();
    const file = join(scene.folder, 'pid');
    await agent.channel().prompt(`@model run "echo $$ > ${file}; exec sleep 600"`, 'p-1');
    await until(() => existsSync(file) && readFileSync(file, 'utf8').trim() !== '', agent.describe);
    const pid = Number(readFileSync(file, 'utf8'));
    expect(isAlive(pid)).toBe(true);
    expect(await agent.channel().interrupt()).toBe('handed');
    await until(() => agent.last('turn.interrupted') !== undefined, agent.describe);
    await until(() => !isAlive(pid));
  }, 400_000);
});
