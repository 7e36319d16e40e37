import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { runDevs } from '../../__tests__/run-devs.js';
import { createHookLog, userPlace } from '../hook-log.js';
import { parseHookPayload } from '../hook-payload.js';
import { createScene } from './scene.js';

const SILENT = { exitCode: 0, stdout: '', stderr: '' };

function runIn(scene: ReturnType<typeof createScene>, input: string, agent = 'claude-code') {
  return runDevs(['hook', agent], { cwd: scene.project, input, env: { XDG_STATE_HOME: join(scene.folder, 'state') } });
}

describe('devs hook', () => {
  it('answers on stdout, as one JSON object', async () => {
    const scene = createScene();
    scene.asks('Sort the widgets.');
    scene.says('Sorted.');

    const { exitCode, stdout, stderr } = await runIn(
      scene,
      JSON.stringify(scene.payload('SessionStart', { source: 'compact' })),
    );

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'SessionStart',
        additionalContext: expect.stringContaining('Sort the widgets.'),
      },
    });
  });

  it('that devs brings to an agent says what a compaction took, once, and not what is open', async () => {
    const scene = createScene();
    scene.asks('Sort the widgets.');
    scene.runs('npm test', 'Error: it does not work', { isError: true });
    const env = { XDG_STATE_HOME: join(scene.folder, 'state'), DEVS_HOOKS_AT_LAUNCH: '1' };
    const run = async (args: readonly string[], source: string, session = 's1') => {
      const input = JSON.stringify(scene.payload('SessionStart', { source, session }));
      return (await runDevs(['hook', 'claude-code', ...args], { cwd: scene.project, input, env })).stdout;
    };

    expect(await run(['--launched'], 'compact')).toContain('Sort the widgets.');
    expect(await run([], 'compact')).toBe(''); // the plugin, in the same agent
    expect(await run(['--launched'], 'startup', 's2')).toBe('');
    expect(await run(['--launched'], 'clear', 's3')).toBe('');
  });

  it('is silent about unknown payloads and foreign events', async () => {
    const scene = createScene();
    const inputs = ['', 'no json', '[]', '{"hook_event_name":"Stop"}', JSON.stringify(scene.payload('PreToolUse'))];

    for (const input of inputs) expect(await runIn(scene, input)).toEqual(SILENT);
    expect(await runIn(scene, '{}', 'nobody')).toEqual(SILENT);
    expect(readFileSync(join(scene.folder, 'state', 'devs', 'hook.log'), 'utf8')).toContain('HOOK_FAILED');
  });

  const BROKEN: Readonly<Record<string, (project: string) => void>> = {
    'a file in the place of .devs': (project) => writeFileSync(join(project, '.devs'), ''),
    'garbage in the place of the store': (project) => {
      mkdirSync(join(project, '.devs'));
      writeFileSync(join(project, '.devs', 'state.db'), 'garbage');
    },
  };
  it.each(Object.entries(BROKEN))('is silent, and says what it can, with %s', async (_what, breakIt) => {
    const scene = createScene();
    scene.asks('Sort the widgets.');
    scene.runs('npm test', 'Error: it does not work', { isError: true });
    breakIt(scene.project);
    const run = (event: string, source?: string) =>
      runDevs(['hook', 'claude-code'], {
        input: JSON.stringify(scene.payload(event, source === undefined ? {} : { source })),
        env: { XDG_STATE_HOME: join(scene.folder, 'state') },
      });

    for (const event of ['UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'])
      expect(await run(event)).toEqual(SILENT);
    expect(await run('SessionStart', 'startup')).toEqual(SILENT);
    const { exitCode, stdout, stderr } = await run('SessionStart', 'compact');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('Sort the widgets.');
  });

  it('works on in the background where the agent cannot, and says nothing there', async () => {
    const scene = createScene();
    const line = { type: 'session_meta', payload: { id: 's1', cwd: scene.project } };
    appendFileSync(scene.transcriptOf('s1'), `${JSON.stringify({ timestamp: '2026-01-02T03:04:05Z', ...line })}\n`);
    const prepared = scene.keptFile('codex-s1.prepared.json');
    // No room for compiled code: it is written after all else, at a moment that the test cannot know.
    mkdirSync(join(scene.folder, 'state', 'devs'), { recursive: true });
    writeFileSync(join(scene.folder, 'state', 'devs', 'compiled'), '');

    expect(await runIn(scene, JSON.stringify(scene.payload('Stop')), 'codex')).toEqual(SILENT);

    await expect.poll(() => existsSync(prepared)).toBe(true);
    await expect.poll(() => readdirSync(join(prepared, '..')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('keeps nothing that `devs purge` does not remove', async () => {
    const scene = createScene();
    scene.asks('Sort the widgets.');
    for (const event of ['UserPromptSubmit', 'PreCompact']) await scene.hook(event);
    expect(existsSync(scene.keptFile('claude-code-s1.ledger.json'))).toBe(true);
    const env = { XDG_STATE_HOME: join(scene.folder, 'state') };

    const { exitCode, stderr } = await runDevs(['purge', '--yes'], { cwd: scene.project, env });

    expect(exitCode).toBe(0);
    expect(stderr).toContain(dirname(scene.keptFile('.')));
    expect(readdirSync(join(scene.folder, 'state', 'devs', 'hooks'))).toEqual([]);
  });

  it('prints what Codex needs to call it, for paths with spaces and quotes, too', async () => {
    const { createWorld } = await import('../../__tests__/run-here.js');
    const hookCommand = (agent: string) => ({ file: "/opt/it's node/node", args: ['/opt/devs.mjs', 'hook', agent] });

    const printed = await createWorld({ hookCommand }).done('hook', 'codex', '--print-config');

    const { hooks } = JSON.parse(printed);
    expect(Object.keys(hooks)).toEqual(['SessionStart', 'UserPromptSubmit', 'PreCompact', 'Stop', 'SessionEnd']);
    expect(hooks.Stop[0].hooks[0].command).toBe(String.raw`'/opt/it'\''s node/node' /opt/devs.mjs hook codex`);
  });
});

describe('the payload of a hook', () => {
  it('is parsed or rejected, and never throws, for any damage', () => {
    const random = createRandom(seed());
    const whole = JSON.stringify({ ...createScene().payload('Stop'), agent_id: 'a1', more: [1, { deep: null }] });
    for (let round = 0; round < rounds(300); round++) {
      const at = random.below(whole.length);
      const character = String.fromCharCode(random.below(0x3000));
      const damaged = round % 2 === 0 ? whole.slice(0, at) : whole.slice(0, at) + character + whole.slice(at + 1);
      const read = parseHookPayload(damaged);
      const said = read === undefined ? undefined : JSON.parse(damaged);
      expect([read?.event, read?.conversation, read?.transcript, read?.folder]).toEqual([
        said?.hook_event_name,
        said?.session_id,
        said?.transcript_path,
        said?.cwd,
      ]);
    }
    expect(parseHookPayload(whole)?.subAgent).toBe('a1');
  });
});

describe('the log of hooks', () => {
  it('does not grow for ever, and takes another place where the first cannot be written', () => {
    const { folder } = createScene();
    writeFileSync(join(folder, 'file'), '');
    const log = createHookLog(
      [join(folder, 'file', 'hook.log'), join(folder, 'logs', 'hook.log')].map(userPlace),
      () => 0,
    );
    for (let index = 0; index < 1_500; index++) log({ event: 'HOOK_SETTING_IGNORED', problem: 'x'.repeat(500) });

    expect(statSync(join(folder, 'logs', 'hook.log')).size).toBeLessThan(300 * 1024);
    expect(readdirSync(join(folder, 'logs')).sort()).toEqual(['hook.log', 'hook.log.old']);
    expect(() =>
      createHookLog([userPlace(join(folder, 'file', 'x'))], () => 0)({ event: 'HOOK_SETTING_IGNORED', problem: '' }),
    ).not.toThrow();
  });
});
