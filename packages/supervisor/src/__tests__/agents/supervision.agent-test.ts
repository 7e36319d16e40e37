import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AFTER_LIMIT_PROMPT, GO_ON_PROMPT, LEDGER_LEAD, RESUME_PROMPT } from '@devs/core';
import { parseScenario } from '@devs/scripted-model';
import { describe, expect, it } from 'vitest';
import { CLAUDE_CODE, CODEX_CLI, DEVS, type RealAgent } from './real-agents.js';
import { times } from './scene.js';

const WORKFLOW = fileURLToPath(new URL('../../../../../workflows/default.yaml', import.meta.url));

const AGENTS = [CLAUDE_CODE, CODEX_CLI];

describe.each(AGENTS)('a real $name, supervised', (agent: RealAgent) => {
  const real = it.skipIf(!agent.isThere);

  real(
    '[H13] [H20] waits at a permission: told once, nothing answered, no renewal; then its user answers',
    async () => {
      const scene = await agent.open({ args: agent.asking });
      const terminal = await scene.supervise(scene.driver, scene.request);
      const granted = join(scene.project, 'granted.txt');
      await scene.untilIdle();
      await scene.send(`Make it\n${agent.full}\n${agent.ask}\n@model say Made it.`);
      await scene.until('told', () => scene.notices.some(({ kind }) => kind === 'waiting'));
      await scene.quiet();

      expect(terminal.status()).toMatchObject({ state: { activity: 'waiting' }, needs: { kind: 'answer' } });
      expect(scene.notices.map(({ kind }) => kind)).toEqual(['waiting']);
      expect(existsSync(granted)).toBe(false);
      expect(await terminal.send('And now?')).toEqual({ kind: 'refused', reason: 'dialog' });
      expect(await scene.screen()).toContain('granted.txt');

      await scene.press(agent.yes);
      await scene.until('made', () => existsSync(granted));
      // It is as full as before, and idle at last.
      await scene.until('renewed', () => terminal.status().contextRefreshCount === 1);
      expect(scene.notices.find(({ kind }) => kind === 'renewal-completed')).toMatchObject({
        grants: [{ detail: 'touch granted.txt' }],
      });
      expect(terminal.status().needs).toBeUndefined();
    },
  );

  real('calls the tools of devs beside those of its user, before and after a renewal', async () => {
    const scene = await agent.open({
      args: agent.trusting,
      theirs: { command: process.execPath, args: [DEVS, 'mcp', '--worktree', '.'], env: { MINE: '1' } },
    });
    const { home, project } = scene;
    mkdirSync(join(project, '.git'));
    const args = [DEVS, 'mcp', '--worktree', project, '--workflow-path', WORKFLOW];
    // Codex gives its servers few variables. Both have to be of one user, whose store it is.
    const devs = { command: process.execPath, args, env: { HOME: home } };
    const terminal = await scene.supervise(scene.driver, { ...scene.request, extras: { mcpServers: { devs } } });
    await scene.untilIdle();
    /** An agent says that it is ready before the servers of its tools are. */
    const untilTools = async (round: string) => {
      const isThere = (text: string) => !text.startsWith('unsupported call') && !text.includes('No such tool');
      const before = scene.toolResults('workflow_status').length;
      const answers = () => scene.toolResults('workflow_status').slice(before);
      for (let tries = 0; tries < 20 && !answers().some(isThere); tries++) {
        await scene.send(`${round} try ${tries}\n@model tool mcp__theirs__workflow_status {}\n@model say Asked.`);
        await scene.until('answered', () => answers().length > tries);
        await scene.untilIdle();
      }
      return answers().at(-1);
    };
    expect(await untilTools('Before')).toContain('WORKFLOW_NOT_STARTED');
    await scene.send(
      'Begin the workflow\n@model tool mcp__devs__workflow_start {"summary":"A parser of numbers"}\n@model say Begun.',
    );
    await scene.until('begun', () => scene.toolResults('workflow_start').length > 0);
    expect(scene.toolResults('workflow_start')[0]).toContain('Understand the request before changing anything');
    await scene.untilIdle();

    expect(await terminal.renew()).toMatchObject({ status: 'renewed' });
    await scene.untilIdle();
    expect(await untilTools('After')).toContain('plan'); // the same worktree, and the same run
    const before = scene.toolResults('workflow_status').length;
    await scene.send('Where are we?\n@model tool mcp__devs__workflow_status {}\n@model say There.');
    await scene.until('called by the new one', () => scene.toolResults('workflow_status').length > before);
    expect(scene.toolResults('workflow_status').at(-1)).toContain('plan');
  });

  real(
    'compacts and clears when a step asks for it: acknowledged by its own records, the ledger given once',
    async () => {
      const scene = await agent.open();
      const terminal = await scene.supervise(scene.driver, scene.request);
      await scene.untilIdle();
      await scene.send('Write the parser of numbers\n@model usage input=50000 output=25\n@model say Written.');
      await scene.until('the usage', () => terminal.status().usage?.usedTokens === 50_025);
      expect(await terminal.contextAction('compact')).toEqual({ kind: 'acknowledged', attempts: 1, how: 'command' });
      await scene.until('less', () => (terminal.status().usage?.usedTokens ?? 50_025) < 50_000);
      await scene.until('the ledger', () => scene.requestsWith(LEDGER_LEAD.slice(0, 60)).length > 0);
      expect(scene.requestsWith(LEDGER_LEAD.slice(0, 60))[0]).toContain('Write the parser of numbers');
      await scene.untilIdle();

      const { conversationId } = terminal.status();
      expect(await terminal.contextAction('clear')).toEqual({ kind: 'acknowledged', attempts: 1, how: 'command' });
      await scene.send('Something else\n@model say Else.');
      await scene.until('asked', () => scene.requestsHolding('Something else').length > 0);
      expect(scene.requestsHolding('Something else')[0]).not.toContain('Write the parser of numbers');
      expect(terminal.status().conversationId).not.toBe(conversationId);
      const events = await scene.store.log.read({ stream: 'terminal:real' });
      expect(events.filter(({ type }) => type === 'agent.spawned')).toHaveLength(1);
    },
  );

  real('is parked at a limit of the provider until the time that was stated, and then goes on', async () => {
    const scene = await agent.open();
    const policy = { ...scene.request.policy, parkMs: 15_000 };
    const terminal = await scene.supervise(scene.driver, { ...scene.request, policy });
    await scene.untilIdle();
    const until = Math.ceil(Date.now() / 1_000) + 20;
    const message = `You have hit your usage limit|${until}`;
    scene.model.play(
      parseScenario(`rules:
  - when: { prompt: Too much }
    times: 1
    reply: [{ error: { status: 429, type: usage_limit_reached, message: "${message}", headers: { x-should-retry: "false" } } }]
`),
    );
    await scene.send('Too much of it');
    await scene.until('parked', () => scene.notices.some(({ kind }) => kind === 'parked'));
    const parked = scene.notices.find(({ kind }) => kind === 'parked');
    // Codex passes on only a time that stands in a field of its own, and else says to try again later.
    const stated = agent === CODEX_CLI ? (terminal.status().parkedUntil ?? 0) : until * 1_000;
    expect(parked).toMatchObject({ until: stated, why: 'usage-limit' });
    expect(terminal.status().parkedUntil).toBe(stated);
    expect(scene.requestsWith(AFTER_LIMIT_PROMPT)).toEqual([]);
    await scene.until('on again', () => scene.requestsWith(AFTER_LIMIT_PROMPT).length > 0);
    expect(Date.now()).toBeGreaterThanOrEqual(stated);
    await scene.untilIdle();
    expect(terminal.status().parkedUntil).toBeUndefined();
    expect(scene.notices.filter(({ kind }) => kind === 'parked')).toHaveLength(1);
  });

  real(
    '[H17] keeps what its user types while a renewal is due, or under way, and is renewed when he has gone',
    async () => {
      const scene = await agent.open();
      scene.model.play(
        parseScenario(`rules:
  - when: { prompt: handoff request }
    reply: [{ delay: 4s }, { say: "## HANDOFF\\n\\n### Next\\nNegative numbers." }]
`),
      );
      const terminal = await scene.supervise(scene.driver, {
        ...scene.request,
        ownWords: 'always',
        timing: { leaseMs: 2_000, attendedMs: 2_000 },
      });
      await scene.untilIdle();
      await scene.send(`Fill it\n${agent.full}\n@model say Full.`);
      await scene.until('asked for its words', () => scene.requestsWith('handoff request').length > 0);
      await scene.press('What I was about to');
      terminal.user({ typed: true });
      await scene.until('given up', () => scene.notices.some(({ kind }) => kind === 'renewal-abandoned'));
      await scene.quiet();
      await scene.quiet(); // long enough for the keys alone to be forgotten: the draft is what counts now
      expect(await scene.screen()).toContain('What I was about to');
      expect(terminal.status()).toMatchObject({ isAttended: true, contextRefreshCount: 0, mark: 'firm' });

      await scene.press('\u0015');
      await scene.until('renewed', () => terminal.status().contextRefreshCount === 1);
      expect(scene.requestsWith('What I was about to')).toEqual([]);
      const [first = ''] = scene.requestsWith(GO_ON_PROMPT.slice(0, 40));
      expect(times(first, '# Handoff\\n')).toBe(1);
    },
  );

  real('is interrupted between two tools when its turn lasts above the firm mark, and renewed', async () => {
    const scene = await agent.open();
    const policy = { ...scene.request.policy, interruptMs: 1_000 };
    const terminal = await scene.supervise(scene.driver, { ...scene.request, policy });
    await scene.untilIdle();
    await scene.send(`Fill it\n${agent.full}\n@model run true\n@model delay 600s\n@model say Never said.`);
    await scene.until('renewed', () => terminal.status().contextRefreshCount === 1);
    expect(scene.notices.filter(({ kind }) => kind === 'interrupted')).toHaveLength(1);
    const events = await scene.store.log.read({ stream: 'terminal:real' });
    expect(events.some(({ type }) => type === 'turn.cut-short')).toBe(true);
    expect(scene.requestsWith(GO_ON_PROMPT.slice(0, 40))[0]).toContain('Fill it');
  });

  real('[H19] is resumed in its own conversation when it was killed at work', async () => {
    const scene = await agent.open();
    const terminal = await scene.supervise(scene.driver, scene.request);
    await scene.untilIdle();
    await scene.send('Begin\n@model say Begun.');
    await scene.untilIdle();
    const { conversationId } = terminal.status();
    await scene.send('Think about it\n@model delay 20s\n@model say Thought.');
    await scene.until('busy', () => terminal.status().state?.activity === 'busy');
    process.kill((await scene.arguments()).pid, 'SIGKILL');
    await scene.until('resumed', () => scene.notices.some(({ kind }) => kind === 'resumed'));
    await scene.until('it goes on', () => scene.requestsWith(RESUME_PROMPT.slice(0, 20)).length > 0);
    expect(scene.requestsWith(RESUME_PROMPT.slice(0, 20))[0]).toContain('Begun.');
    expect(terminal.status().conversationId).toBe(conversationId);
  });
});
