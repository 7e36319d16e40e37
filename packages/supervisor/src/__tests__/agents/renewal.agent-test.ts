import { GO_ON_PROMPT } from '@devs/core';
import { parseScenario } from '@devs/scripted-model';
import { describe, expect, it } from 'vitest';
import { CLAUDE_CODE, CODEX_CLI } from './real-agents.js';
import { times } from './scene.js';

describe.skipIf(!CLAUDE_CODE.isThere)('a real Claude Code, supervised', () => {
  it('[H4] [H18] is renewed at its mark: the first request of the new one holds the handoff and the old prompts once', async () => {
    const scene = await CLAUDE_CODE.open();
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
    const scene = await CLAUDE_CODE.open();
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

  it('[H17] is not renewed while its user is there, nor over their draft', async () => {
    const scene = await CLAUDE_CODE.open();
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
});

describe.skipIf(!CODEX_CLI.isThere)('a real Codex, supervised', () => {
  it('[H4] [H18] is renewed at its mark: the first request of the new one holds the handoff and the old prompts once', async () => {
    const scene = await CODEX_CLI.open();
    const terminal = await scene.supervise(scene.driver, scene.request);
    await scene.untilIdle();
    const before = await scene.arguments();
    const wish = 'Write the parser of numbers\n@model usage input=140000 output=25\n@model say I will write it.';
    expect(await terminal.send(wish)).toMatchObject({ kind: 'delivered' });
    await scene.until('renewed', () => terminal.status().contextRefreshCount === 1);
    const after = await scene.arguments();
    const [first = ''] = scene.requestsWith(GO_ON_PROMPT.slice(0, 40));
    for (const part of ['WORDS OF THE USER', 'WORDS OF DEVS', '# Handoff\\n']) expect(times(first, part), part).toBe(1);
    expect(first).toContain('Write the parser of numbers');
    const kept = (args: readonly string[]) =>
      args.filter((arg) => !arg.startsWith(GO_ON_PROMPT) && !arg.startsWith('developer_instructions=') && arg !== '--');
    expect(kept(after.args)).toEqual(kept(before.args));
    expect(after.args.join(' ')).not.toMatch(/Handoff|WORDS OF/); // everybody can read a command line
    expect(after.pid).not.toBe(before.pid);

    await scene.untilIdle();
    expect(await terminal.undoRenewal()).toMatchObject({ status: 'undone' });
    await scene.untilIdle();
    await scene.send('What did I want?\n@model usage input=9000 output=9\n@model say The parser.');
    await scene.until('asked', () => scene.requestsWith('What did I want?').length > 0);
    expect(scene.requestsWith('What did I want?')[0]).toContain('I will write it.');
  });
});
