import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { RunReport } from '@devs/core';
import { readScenario, startModelServer } from '@devs/scripted-model';
import { endHost } from '@devs/terminals/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudeEnvironment } from './claude-session.js';

const EXAMPLES = fileURLToPath(new URL('../../../../../examples/', import.meta.url));
const DEVS = fileURLToPath(new URL('../../../bin/devs.mjs', import.meta.url));
const AGENTS = { claude: process.env.DEVS_CLAUDE_CODE ?? '', codex: process.env.DEVS_CODEX ?? '' };
type Agent = keyof typeof AGENTS;

/** The sample project of a user whose agent is allowed to work unattended. */
async function openSample(agent: Agent, { breaksTools = false } = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-run-')));
  const model = await startModelServer({
    scenario: await readScenario(join(EXAMPLES, 'scenarios/sample-agents.yaml')),
  });
  const ending = new AbortController();
  onTestFinished(async () => {
    ending.abort(); // a slow run must not continue beside the next test
    await endHost(join(folder, 'home/state/devs/terminals'));
    await model.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const [home, project, programs] = ['home', 'durations', 'programs'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const made of [home, programs, join(home, '.codex')]) mkdirSync(made, { recursive: true });
  symlinkSync(AGENTS[agent], join(programs, agent));
  cpSync(join(EXAMPLES, 'sample-project'), project, { recursive: true });
  setUpClaude(home, project);
  const broken = breaksTools ? breakServers(home) : undefined;
  setUpCodex(home, project, model.url, broken);
  const env: Record<string, string> = {
    ...claudeEnvironment({ claude: '', home, project, plugin: '', modelUrl: model.url }),
    PATH: [programs, process.env.PATH ?? ''].join(delimiter),
    CODEX_HOME: join(home, '.codex'),
    FAKE_KEY: 'none',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    ...(broken === undefined ? {} : { NODE_OPTIONS: broken }),
  };
  const run = (program: string, ...args: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      execFile(
        program,
        args,
        { cwd: project, env, maxBuffer: 10_000_000, signal: ending.signal },
        (error, stdout, stderr) =>
          error === null ? resolve(stdout) : reject(new Error(`${args.join(' ')}: ${stdout}${stderr}`)),
      );
    });
  await run('git', 'init', '--quiet', '--initial-branch=main');
  await run('git', 'add', '.');
  await run(
    'git',
    '-c',
    'user.name=user',
    '-c',
    'user.email=user@localhost',
    'commit',
    '--quiet',
    '--message',
    'Begin',
  );
  mkdirSync(join(project, '.devs'));
  writeFileSync(join(project, '.devs', 'config.yaml'), `agent: ${agent}\nchecks: [[npm, test]]\n`);
  const devs = (...args: readonly string[]) => run(process.execPath, DEVS, ...args);
  await devs('config', '--trust');
  return { project, run, devs };
}

function setUpClaude(home: string, project: string): void {
  const trusted = { allowedTools: [], hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const state = { numStartups: 3, hasCompletedOnboarding: true, theme: 'dark', projects: { [project]: trusted } };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(state));
  mkdirSync(join(project, '.claude'));
  const permissions = { allow: ['Bash', 'mcp__devs'], defaultMode: 'acceptEdits' };
  writeFileSync(join(project, '.claude', 'settings.json'), JSON.stringify({ permissions }));
}

/**
 * What a node is told so that no `devs mcp` starts for the first agent: agents try it several times. The supervisor writes the file
 * of the report anew for the next agent. In the home, which commands in the sandbox can read.
 */
function breakServers(home: string): string {
  const [file, mark] = [join(home, 'break.mjs'), join(home, 'first-report')];
  const text = `import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
const at = process.argv.indexOf('--report-to');
if (process.argv[2] === 'mcp' && at > 0) {
  const written = String(statSync(process.argv[at + 1]).mtimeMs);
  if (!existsSync(${JSON.stringify(mark)})) writeFileSync(${JSON.stringify(mark)}, written);
  if (readFileSync(${JSON.stringify(mark)}, 'utf8') === written) process.exit(1);
}
`;
  writeFileSync(file, text);
  return `--import=${pathToFileURL(file).href}`;
}

function setUpCodex(home: string, project: string, modelUrl: string, nodeOptions: string | undefined): void {
  // Codex passes little of the environment on to servers.
  const servers = nodeOptions === undefined ? '' : `[mcp_servers.devs.env]\nNODE_OPTIONS = "${nodeOptions}"\n`;
  writeFileSync(
    join(home, '.codex', 'config.toml'),
    `model = "gpt-5.5-codex"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
model_context_window = 200000
[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 1
stream_max_retries = 1
[projects."${project}"]
trust_level = "trusted"
[features]
plugins = false
apps = false
remote_plugin = false
daemon_auto_start = false
${servers}`,
  );
}

describe.each(['claude', 'codex'] as const)('a run with a real %s', (agent) => {
  it.skipIf(AGENTS[agent] === '')(
    'takes the feature workflow to its end, compacts and clears, and merges what passes its checks',
    async () => {
      const { devs, run } = await openSample(agent);
      await devs('run', '--merge', 'feature', 'Add formatDuration as docs/prd.md asks for');
      const report = JSON.parse(await devs('report', '--json')) as RunReport;

      expect(report).toMatchObject({
        outcome: { kind: 'done' },
        agent,
        tasks: [
          { id: 'format', status: 'done' },
          { id: 'largest', status: 'done' },
        ],
        escalations: [],
        crashes: [],
        commits: { length: 3 },
        checks: [{ command: ['npm', 'test'], exitCode: 0 }],
        merged: { into: 'main' },
      });
      expect(report.steps.map(({ at, status }) => `${at} ${status}`)).toHaveLength(13);
      expect(report.contextActions.map(({ action, outcome }) => [action, outcome])).toEqual([
        ['compact', 'observed'],
        ['compact', 'observed'],
        ['clear', 'observed'],
      ]);
      const tests = ['format-duration', 'largest-units', 'no-duration'].map((name) => join('test', `${name}.test.js`));
      expect(await run(process.execPath, '--test', '--test-reporter=tap', ...tests)).toMatch(/# fail 0/);
    },
    400_000,
  );

  it.skipIf(AGENTS[agent] === '')(
    'restarts it if its workflow tools did not start, and continues',
    async () => {
      const { devs } = await openSample(agent, { breaksTools: true });
      await devs('run', 'feature', 'Add formatDuration as docs/prd.md asks for');
      const report = JSON.parse(await devs('report', '--json')) as RunReport;

      expect(report).toMatchObject({ outcome: { kind: 'done' }, escalations: [] });
      expect(await devs('log', '--limit', '1000')).toContain('restarting the agent: it has no workflow tools');
    },
    600_000,
  );
});
