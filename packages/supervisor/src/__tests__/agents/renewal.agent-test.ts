import { join } from 'node:path';
import { createClaudeCodeDriver, createCodexDriver } from '@devs/agents';
import { parseScenario } from '@devs/model';
import { describe, expect, it } from 'vitest';
import { GO_ON_PROMPT } from '../../renewal/handoff-request.js';
import { openScene, prepareClaude, prepareCodex, times } from './scene.js';

const CLAUDE = process.env.DEVS_CLAUDE_CODE ?? '';
const CODEX = process.env.DEVS_CODEX ?? '';

async function claude() {
  const scene = await openScene();
  const { home, project, model } = scene;
  prepareClaude(home, project);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_AUTH_TOKEN: 'none',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
  };
  const request = {
    place: { folder: project, home, env, command: CLAUDE },
    launch: {
      userArgs: ['--permission-mode=acceptEdits', '--append-system-prompt', 'WORDS OF THE USER', '--add-dir', home],
      systemPrompt: 'WORDS OF DEVS',
    },
    policy: { resumeMs: 100 },
  };
  return { ...scene, driver: createClaudeCodeDriver({ clock: Date }), request };
}

describe.skipIf(CLAUDE === '')('a real Claude Code, supervised', () => {
  it('[H4] [H18] is renewed at its mark: the first request of the new one holds the handoff and the old prompts once', async () => {
    const scene = await claude();
    const terminal = await scene.supervise(scene.driver, scene.request);
    await scene.untilIdle();
    const before = await scene.arguments();
    const began = Date.now();
    const wish = 'Write the parser of numbers\n@model usage input=400000 output=25\n@model say I will write it.';
    expect(await terminal.send(wish)).toEqual({ kind: 'delivered', enters: 1 });
    await scene.until('renewed', () => terminal.status().contextRefreshCount === 1);
    const tookMs = Date.now() - began;
    const after = await scene.arguments();

    const [first = ''] = scene.requestsWith(GO_ON_PROMPT.slice(0, 40));
    for (const part of ['WORDS OF THE USER', 'WORDS OF DEVS', '# Handoff\\n']) expect(times(first, part), part).toBe(1);
    expect(first).toContain('Write the parser of numbers');
    const kept = (args: readonly string[]) =>
      args.filter((arg) => !arg.startsWith('--session-id') && !arg.startsWith(GO_ON_PROMPT) && arg !== '--');
    expect(kept(after.args)).toEqual(kept(before.args));
    expect(after.pid).not.toBe(before.pid);
    expect(scene.notices).toContainEqual(
      expect.objectContaining({ kind: 'renewal-completed', resumeCommand: expect.stringMatching(/^claude --resume /) }),
    );

    await scene.untilIdle();
    expect(await terminal.undoRenewal()).toMatchObject({ status: 'undone' });
    await scene.untilIdle();
    await terminal.send('What did I want?\n@model usage input=9000 output=9\n@model say The parser.');
    await scene.untilIdle();
    const [undone = ''] = scene.requestsWith('What did I want?');
    expect(undone).toContain('I will write it.');
    process.stdout.write(
      `claude: from the prompt over the firm mark to the first turn of the new one in ${tookMs} ms\n`,
    );
  });

  it('[H1] [H3] writes its own handoff when it is asked, and that is all that is typed', async () => {
    const scene = await claude();
    scene.model.play(
      parseScenario(`rules:
  - when: { prompt: handoff request }
    reply: |
      Here it is.

      ## HANDOFF

      ### Goal
      A parser of numbers.

      ### Next
      Negative numbers.
`),
    );
    const terminal = await scene.supervise(scene.driver, { ...scene.request, ownWords: 'always' });
    await scene.untilIdle();
    await terminal.send('Write the parser\n@model usage input=9000 output=25\n@model say Done.');
    await scene.until('the end of the turn', () => terminal.status().usage?.usedTokens === 9_025);
    await scene.untilIdle();
    expect(await terminal.renew()).toMatchObject({ status: 'renewed' });
    const events = await scene.store.log.read({ stream: 'terminal:real' });
    expect(events.find(({ type }) => type === 'handoff.received')?.data).toEqual({
      source: 'transcript',
      text: '### Goal\nA parser of numbers.\n\n### Next\nNegative numbers.',
    });
    const [first = ''] = scene.requestsWith(GO_ON_PROMPT.slice(0, 40));
    expect(first).toContain('Negative numbers.');
    expect(first).not.toContain('handoff request');
  });

  it('[H17] is not renewed while its user is there, nor over the draft that he left', async () => {
    const scene = await claude();
    const terminal = await scene.supervise(scene.driver, {
      ...scene.request,
      attended: true,
      timing: { leaseMs: 2_000, attendedMs: 100 },
    });
    await scene.untilIdle();
    await terminal.send('Fill it\n@model usage input=400000 output=25\n@model say Full.');
    await scene.until('told', () => scene.notices.some(({ kind }) => kind === 'pressure'));
    await scene.press('What I was about to');
    terminal.user({ attached: false });
    await scene.quiet();
    expect(terminal.status()).toMatchObject({ isAttended: true, contextRefreshCount: 0, mark: 'firm' });
    expect(await scene.screen()).toContain('What I was about to');
    await scene.press('\u0015');
    await scene.until('renewed when the draft was gone', () => terminal.status().contextRefreshCount === 1);
  });

  it('[H19] is resumed in its own conversation when it was killed at work', async () => {
    const scene = await claude();
    const terminal = await scene.supervise(scene.driver, scene.request);
    await scene.untilIdle();
    await terminal.send('Begin\n@model say Begun.');
    await scene.untilIdle();
    const { conversationId } = terminal.status();
    // Right after a turn it may still be drawing, and is not typed into.
    for (let tries = 0; tries < 10; tries++) {
      const outcome = await terminal.send('Think about it\n@model wait 20s\n@model say Thought.');
      if (outcome.kind !== 'refused') break;
      await scene.untilIdle();
    }
    await scene.until('busy', () => terminal.status().state?.activity === 'busy');
    process.kill((await scene.arguments()).pid, 'SIGKILL');
    await scene.until('resumed', () => scene.notices.some(({ kind }) => kind === 'resumed'));
    await scene.until('it goes on', () => scene.requestsWith('You were interrupted').length > 0);
    const [resumed = ''] = scene.requestsWith('You were interrupted');
    expect(resumed).toContain('Begun.');
    expect(terminal.status().conversationId).toBe(conversationId);
  });
});

describe.skipIf(CODEX === '')('a real Codex, supervised', () => {
  it('[H4] [H18] is renewed at its mark: the first request of the new one holds the handoff and the old prompts once', async () => {
    const scene = await openScene();
    const { home, project, model } = scene;
    prepareCodex(home, project, model.url);
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: home,
      CODEX_HOME: join(home, '.codex'),
      FAKE_KEY: 'none',
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
    };
    const terminal = await scene.supervise(createCodexDriver({ clock: Date }), {
      place: { folder: project, home, env, command: CODEX },
      launch: { userArgs: ['-a', 'never'], systemPrompt: 'WORDS OF DEVS' },
    });
    await scene.untilIdle();
    const wish = 'Write the parser of numbers\n@model usage input=140000 output=25\n@model say I will write it.';
    expect(await terminal.send(wish)).toMatchObject({ kind: 'delivered' });
    await scene.until('renewed', () => terminal.status().contextRefreshCount === 1);
    const [first = ''] = scene.requestsWith(GO_ON_PROMPT.slice(0, 40));
    for (const part of ['WORDS OF THE USER', 'WORDS OF DEVS', '# Handoff\\n']) expect(times(first, part), part).toBe(1);
    expect(first).toContain('Write the parser of numbers');
  });
});
