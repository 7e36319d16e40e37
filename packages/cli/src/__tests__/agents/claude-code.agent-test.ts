import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hookFolder } from '../../hook/hook-folder.js';
import { claudeEnvironment, startClaude } from './claude-session.js';
import {
  type ModelRequest,
  plainText,
  type ScriptedMessages,
  SUMMARY,
  startScriptedMessages,
} from './scripted-messages.js';

const CLAUDE = process.env.DEVS_CLAUDE_CODE ?? '';
const PLUGIN = fileURLToPath(new URL('../../../../../plugins/claude-code', import.meta.url));
const DEVS = fileURLToPath(new URL('../../../bin/devs.mjs', import.meta.url));

const HANDOFF = '# Handoff\n';
const WORK =
  'Please sort the widgets in src/widgets/sort-widgets.ts [[tool Bash {"command":"echo widgets-are-sorted"}]]';
const TROUBLE = 'Now check it [[tool Bash {"command":"./run-widget-tests --all"}]]';

async function scene({ prepare = (_project: string) => {}, env = {} as Record<string, string>, plugin = PLUGIN } = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs agent ')));
  const model = await startScriptedMessages();
  onTestFinished(async () => {
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const project = join(folder, 'a project');
  mkdirSync(join(project, '.git'), { recursive: true });
  prepare(project);
  const place = { claude: CLAUDE, home: join(folder, 'home'), project, plugin, modelUrl: model.url, env };
  /** The folder of what hooks keep. */
  const kept = () => hookFolder(join(place.home, 'state', 'devs', 'hooks'), project).path;
  return { place, model, project, kept, start: () => startClaude(place) };
}

const whole = ({ messages }: ModelRequest): string => messages.map(({ content }) => plainText(content)).join('\n');
const times = (text: string, part: string): number => text.split(part).length - 1;
const last = ({ requests }: ScriptedMessages): string => whole(requests.at(-1) as ModelRequest);

describe('the plugin in a real Claude Code', () => {
  it('passes its own validation', async () => {
    const { place } = await scene();
    const output = await new Promise<string>((resolve, reject) => {
      execFile(CLAUDE, ['plugin', 'validate', PLUGIN], { env: claudeEnvironment(place) }, (error, stdout, stderr) =>
        error === null ? resolve(stdout + stderr) : reject(new Error(`${stdout}${stderr}`)),
      );
    });

    expect(output).toContain('Validation passed');
  });

  it('offers its commands and its server, to a user who allows nothing else', async () => {
    const { model, place } = await scene();
    const claude = startClaude({ ...place, allowed: [] });
    await claude.send('hello');
    await claude.send('/devs:handoff');
    const init = claude.lines.find(({ subtype }) => subtype === 'init');

    expect(init?.slash_commands).toEqual(expect.arrayContaining(['devs:handoff', 'devs:lost']));
    expect(init?.mcp_servers).toEqual([expect.objectContaining({ name: 'plugin:devs:devs', status: 'connected' })]);
    expect(times(last(model), HANDOFF)).toBe(1);
    expect(await claude.close()).toEqual({ exitCode: 0, stderr: '' });
  });

  it('[H21] puts the ledger into the first request after a compaction, once, and once again after the next', async () => {
    const { model, start, kept } = await scene();
    const claude = start();
    await claude.send(WORK);
    await claude.send(TROUBLE);
    expect(times(last(model), HANDOFF)).toBe(0);

    await claude.send('/compact');
    await claude.send('go on');
    const after = last(model);
    await claude.send('and on');
    const later = last(model);
    await claude.send('/compact');
    await claude.send('go on again');

    expect({ summary: times(after, SUMMARY), ledger: times(after, HANDOFF) }).toEqual({ summary: 1, ledger: 1 });
    expect(after).toContain('src/widgets/sort-widgets.ts');
    expect(after).toContain('./run-widget-tests --all');
    expect(times(later, HANDOFF)).toBe(1);
    expect(times(last(model), HANDOFF)).toBe(1);
    expect(await claude.close()).toEqual({ exitCode: 0, stderr: '' });
    expect(readFileSync(join(kept(), 'hook.log'), 'utf8')).not.toContain('HOOK_FAILED');
  });

  it('tells after a clear what is open, and in the next process, and nothing to a second one at the same time', async () => {
    const { model, start } = await scene();
    const claude = start();
    await claude.send(WORK);
    await claude.send(TROUBLE);
    await claude.send('/clear');
    await claude.send('something else');
    const cleared = last(model);
    const beside = start();
    await beside.send('who is there?');
    const atTheSameTime = last(model);
    await beside.close();
    await claude.send(TROUBLE);
    await claude.close();
    const next = start();
    await next.send('good morning');
    await next.close();

    expect(times(cleared, 'was left open')).toBe(1);
    expect(cleared).toContain('./run-widget-tests --all');
    expect(cleared.length).toBeLessThan(40_000);
    expect(times(last(model), 'was left open')).toBe(1);
    expect(times(atTheSameTime, 'was left open')).toBe(0);
  });

  it('reminds of the specs when they changed and after a number of turns', async () => {
    const { model, start, project } = await scene({
      env: { DEVS_HOOK_REMINDER_TURNS: '3' },
      prepare: (project) => {
        mkdirSync(join(project, 'docs'));
        writeFileSync(join(project, 'docs', 'TAS.md'), '# TAS\n\n## Summary\nWidgets are sorted by weight.\n');
        writeFileSync(join(project, 'docs', 'PRD.md'), '# PRD\n\n## Summary\nUsers see the lightest first.\n');
      },
    });
    const claude = start();
    const counts: number[] = [];
    const send = async (text: string) => {
      await claude.send(text);
      counts.push(times(last(model), '[CONTEXT REFRESH]\n## TAS Summary\n'));
    };
    await send('one');
    writeFileSync(join(project, 'docs', 'PRD.md'), '# PRD\n\n## Summary\nUsers see the heaviest first.\n');
    await send('two');
    await send('three');
    await send('four');
    await send('five');
    await claude.close();

    expect(counts).toEqual([0, 1, 1, 1, 2]);
    expect(last(model)).toContain('Users see the heaviest first.');
  });

  const conversation = async ({ model, start }: Awaited<ReturnType<typeof scene>>) => {
    const claude = start();
    const answers = [await claude.send(WORK), await claude.send('/compact'), await claude.send('go on')];
    const end = await claude.close();
    return { answers, end, requests: model.requests.length };
  };

  const asIfNothing = { end: { exitCode: 0, stderr: '' }, requests: 4 };
  const BROKEN: Readonly<Record<string, (project: string) => void>> = {
    'a file in the place of its folder': (project) => writeFileSync(join(project, '.devs'), 'not a folder'),
    'a store full of garbage': (project) => {
      mkdirSync(join(project, '.devs'));
      writeFileSync(join(project, '.devs', 'state.db'), 'garbage'.repeat(1_000));
    },
    'settings that are no JSON': (project) => {
      mkdirSync(join(project, '.devs'));
      writeFileSync(join(project, '.devs', 'hooks.json'), '{ "budgetChars": "many", ');
    },
  };
  it.each(Object.entries(BROKEN))('changes nothing for the user with %s', async (_what, prepare) => {
    const healthy = await conversation(await scene({ env: { DEVS_HOOK: 'off' } }));
    const broken = await scene({ prepare });

    expect(await conversation(broken)).toEqual({ ...asIfNothing, answers: healthy.answers });
  });

  it('changes nothing for the user where devs is not found', async () => {
    const away = realpathSync(mkdtempSync(join(tmpdir(), 'devs plugin ')));
    onTestFinished(() => rmSync(away, { recursive: true, force: true }));
    cpSync(PLUGIN, join(away, 'plugin'), { recursive: true });

    const { end, requests } = await conversation(await scene({ plugin: join(away, 'plugin') }));

    expect({ end, requests }).toEqual(asIfNothing);
  });

  it('is found through DEVS_BIN when the plugin was copied elsewhere', async () => {
    const away = realpathSync(mkdtempSync(join(tmpdir(), 'devs plugin ')));
    onTestFinished(() => rmSync(away, { recursive: true, force: true }));
    cpSync(PLUGIN, join(away, 'plugin'), { recursive: true });
    const copied = await scene({ plugin: join(away, 'plugin'), env: { DEVS_BIN: DEVS } });

    await conversation(copied);

    expect(times(last(copied.model), HANDOFF)).toBe(1);
    expect(existsSync(copied.kept())).toBe(true);
  });
});
