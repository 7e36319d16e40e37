import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { genericAgent, RESUME_PROMPT } from '@devs/core';
import { createGenericDriver } from '@devs/drivers';
import { describe, expect, it } from 'vitest';
import { isIdle, openWorld, TIMING } from './world.js';

const AGENT = fileURLToPath(new URL('../../fixtures/agent.mjs', import.meta.url));
/** How long an echo takes on a machine that does other things is not what is tested. */
const PATIENT = { promptTimeoutMs: 60_000, echoTimeoutMs: 60_000, deliveryTimeoutMs: 60_000 };
/** It takes no prompt as an argument. */
const driver = createGenericDriver(
  genericAgent('small', {
    command: [process.execPath, AGENT],
    prompt: '^> ',
    busy: '^Working…',
    waiting: '^❯ 1\\. ',
    conversation: ['--conversation', '{id}'],
    resume: ['--resume', '{id}'],
  }),
  { clock: Date },
);
const common = { driver, sources: [], policy: { resumeMs: 10 }, typing: PATIENT } as const;

describe('a prompt that its command line cannot hold', () => {
  it('is typed when the agent has started, and so is what it is told after a crash; each once', async () => {
    const world = await openWorld({ behaviour: 'slow' });
    const launch = { userArgs: [], firstPrompt: 'Do the task' };
    const terminal = await world.supervise({ ...common, launch, hasWorkLeft: () => true });
    await world.until('told', () => world.prompts().length === 1);
    await world.until('idle', isIdle(terminal));
    await terminal.send('Fall over @wait 100 @crash');
    await world.until('told again', () => world.prompts().length === 3);
    await world.until('idle again', isIdle(terminal));
    expect(world.prompts()).toEqual(['Do the task', 'Fall over @wait 100 @crash', RESUME_PROMPT]);
    expect(world.starts()).toHaveLength(2);
  });

  it('is typed by the next supervisor where the first was killed before it could', async () => {
    const world = await openWorld({ behaviour: 'slow' });
    const { place, privateFolder, openHost } = world.request();
    const agentId = randomUUID();
    const conversation = { kind: 'first', id: agentId } as const;
    const plan = await driver.launch({ ...place, userArgs: [], conversation, privateFolder });
    const host = await openHost();
    const { command: file, args, env } = plan;
    const size = { columns: 100, rows: 30 };
    await host.spawn({ terminalId: 'parser', file, args: [...args], env, cwd: world.project, ...size });
    host.close();
    const launch = { agent: 'small', folder: world.project, userArgs: [], environment: [] };
    await world.store.log.append('terminal:parser', 0, [
      { type: 'terminal.opened', data: { launch } },
      { type: 'restart.started', data: { agentId, conversation, why: 'first' } },
      { type: 'agent.spawned', data: { agentId, conversationId: agentId, untold: 'Do the task' } },
    ]);
    const next = await world.supervise({ ...common, launch: undefined });
    await world.until('told', () => world.prompts().length === 1);
    await world.until('idle', isIdle(next));
    await next.close();
    const third = await world.supervise({ ...common, launch: undefined });
    await world.until('idle', isIdle(third));
    expect(world.prompts()).toEqual(['Do the task']);
    expect(world.starts()).toHaveLength(1);
  });

  it('is in a private file together with what the agent is always told', async () => {
    const world = await openWorld({ behaviour: 'slow' });
    const systemPrompt = Array.from({ length: 40 }, (_, line) => `Rule ${line}`).join('\n');
    const terminal = await world.supervise({
      ...common,
      launch: { userArgs: [], systemPrompt, firstPrompt: 'Do the task' },
    });
    await world.until('told', () => world.prompts().length === 1);
    await world.until('idle', isIdle(terminal));
    const path = join(world.folder, 'private', 'first-prompt.md');
    expect(world.prompts()).toEqual([`[devs] Read all of ${path} and do what it says.`]);
    expect(readFileSync(path, 'utf8')).toBe(`${systemPrompt}\n\nDo the task\n`);
  });

  it('[H20] is not typed into a question of the agent, and is when that was answered', async () => {
    const world = await openWorld({ behaviour: 'asks-first slow' });
    const terminal = await world.supervise({ ...common, launch: { userArgs: [], firstPrompt: 'Do the task' } });
    await world.until('told', () => world.notices.some(({ kind }) => kind === 'waiting'));
    expect(world.prompts()).toEqual([]);
    const host = await world.request().openHost();
    const [hosted] = await host.list();
    if (hosted === undefined) throw new Error('no terminal');
    await host.write(hosted, '2');
    host.close();
    await world.until('told', () => world.prompts().length === 1);
    expect([world.prompts(), terminal.status().needs]).toEqual([['Do the task'], undefined]);
  });

  it("is its user's business where it could not be typed", async () => {
    const world = await openWorld({ behaviour: 'never-draws' });
    const terminal = await world.supervise({
      ...common,
      typing: { promptTimeoutMs: 200 },
      timing: { ...TIMING, confirmMs: 500 },
      launch: { userArgs: [], firstPrompt: 'Do the task' },
    });
    await world.until('asked', () => terminal.status().needs?.kind === 'escalation');
    expect(terminal.status().needs?.detail).toContain('could not be told what to do');
    await world.until('it runs on', () => world.running().length === 1);
  });
});
