import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunReport } from '@devs/core';
import { until } from '@devs/core/testing';
import { parseScenario, startModelServer } from '@devs/scripted-model';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FrontDoor, openFrontDoor } from '../../terminal/__tests__/front-door.js';

const AGENTS = { claude: process.env.DEVS_CLAUDE_CODE ?? '', codex: process.env.DEVS_CODEX ?? '' };
type Agent = keyof typeof AGENTS;

const WORKFLOW = `name: one-step
description: Make one file
steps:
  - id: make
    type: action
    instructions: Make the file made.txt and commit it.
`;

/** Codex asks its user only where the model says that a command needs more than the sandbox. */
const ESCALATED = `  - when: { api: openai-responses, toolResult: { contains: Make the file made.txt } }
    reply:
      - tool:
          name: exec_command
          input: { cmd: touch made.txt, sandbox_permissions: require_escalated, justification: The file is wanted }
`;

const scenarioFor = (permissions: 'allow' | 'ask') => `name: first-run
rules:
${permissions === 'ask' ? ESCALATED : ''}  - when: { toolResult: { contains: The workflow is complete } }
    reply: Done.
  - when: { toolResult: { contains: Make the file made.txt } }
    reply:
      - run: touch made.txt && git add made.txt && git -c user.name=a -c user.email=a@b commit -qm Made && echo '[made]'
  - when: { toolResult: { contains: "[made]" } }
    reply:
      - tool: { name: mcp__devs__workflow_advance, input: { output: made.txt is there } }
  - when: { toolResult: {} }
    reply:
      - delay: 6s
      - tool: { name: mcp__devs__workflow_status, input: {} }
  - when: { api: anthropic-messages, offers: Bash }
    reply:
      - tool: { name: mcp__devs__workflow_status, input: {} }
  # Codex begins before its servers have started, and a script cannot look whether they have.
  - when: { api: openai-responses }
    reply:
      - delay: 6s
      - tool: { name: mcp__devs__workflow_status, input: {} }
default: Done.
`;

/** The home of a user who is logged in, and never was in the project with this agent. Nothing there knows devs. */
async function openFirstHour(
  agent: Agent,
  permissions: 'allow' | 'ask',
  program: readonly string[] = agent === 'claude' ? [AGENTS.claude] : [process.execPath, AGENTS.codex],
): Promise<FrontDoor> {
  const model = await startModelServer({ scenario: parseScenario(scenarioFor(permissions)) });
  onTestFinished(() => model.close());
  const door = openFrontDoor(program, {
    command: agent,
    version: 'its own',
    env: {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_AUTH_TOKEN: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
      FAKE_KEY: 'none',
    },
  });
  if (agent === 'claude') setUpClaude(door.home, permissions);
  else setUpCodex(door.home, permissions, model.url);
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: door.project });
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(door.project, 'README.md'), '# shop\n');
  git('add', '.');
  git('-c', 'user.name=user', '-c', 'user.email=user@localhost', 'commit', '--quiet', '--message', 'Begin');
  return door;
}

function setUpClaude(home: string, permissions: 'allow' | 'ask'): void {
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark' }));
  mkdirSync(join(home, '.claude'));
  const allowed =
    permissions === 'allow' ? { allow: ['Bash'], defaultMode: 'acceptEdits' } : { defaultMode: 'default' };
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ permissions: allowed }));
}

function setUpCodex(home: string, permissions: 'allow' | 'ask', modelUrl: string): void {
  const allowed =
    permissions === 'allow'
      ? 'approval_policy = "never"\nsandbox_mode = "danger-full-access"'
      : 'approval_policy = "on-request"\nsandbox_mode = "read-only"';
  mkdirSync(join(home, '.codex'));
  writeFileSync(
    join(home, '.codex', 'config.toml'),
    `model = "gpt-5.5-codex"
model_provider = "fake"
${allowed}
model_context_window = 200000
[model_providers.fake]
name = "fake"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 1
stream_max_retries = 1
[features]
plugins = false
apps = false
remote_plugin = false
daemon_auto_start = false
`,
  );
}

async function begin(door: FrontDoor) {
  await door.run('init');
  const workflows = join(door.project, '.devs', 'workflows');
  mkdirSync(workflows, { recursive: true });
  writeFileSync(join(workflows, 'one-step.yaml'), WORKFLOW);
  await door.run('config', '--trust');
}

async function reportOf(door: FrontDoor, isThere: (report: RunReport) => boolean): Promise<RunReport> {
  let report: RunReport | undefined;
  await until(
    async () => {
      const { stdout } = await door.run('report', '--json');
      report = stdout.startsWith('{') ? (JSON.parse(stdout) as RunReport) : undefined;
      return report !== undefined && isThere(report);
    },
    () => JSON.stringify(report),
  );
  return report as RunReport;
}

/** Over its channel Codex asks for a permission; what a screen shows may be anything. */
const QUESTIONS = {
  claude: 'The agent is waiting for a permission or an answer.',
  codex: 'The agent asks for a permission.',
};

/** A Claude Code of a time before stream-json, for all that devs can see. */
function withoutStreamJson(): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'devs-old-claude-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'claude.sh');
  const refuses = `case "$*" in *stream-json*) echo "error: unknown option '--input-format'" >&2; exit 1;; esac`;
  writeFileSync(file, `${refuses}\nexec '${AGENTS.claude}' "$@"\n`);
  return ['/bin/sh', file];
}

it.skipIf(AGENTS.claude === '')(
  'types into a Claude Code that does not speak stream-json, and says so',
  async () => {
    const door = await openFirstHour('claude', 'allow', withoutStreamJson());
    await begin(door);
    await door.run('config', '--trust-folder');
    await door.run('run', '--set', 'transport=stream', 'one-step', 'Make the file', '--agent', 'claude');
    const report = await reportOf(door, ({ endedAt, escalations }) => endedAt !== undefined || escalations.length > 0);
    expect(report).toMatchObject({ outcome: { kind: 'done' }, escalations: [] });
    const { stdout } = await door.run('log');
    expect(stdout).toContain('devs types into the screen of Claude Code');
    expect(stdout).toContain("unknown option '--input-format'");
  },
  240_000,
);

describe.each(['claude', 'codex'] as const)('the first run with an untouched %s', (agent) => {
  it.skipIf(AGENTS[agent] === '')(
    '[H23] asks for trust once, in words, and comes to its end without another question',
    async () => {
      const door = await openFirstHour(agent, 'allow');
      await begin(door);
      const window = door.open(['run', 'one-step', 'Make the file', '--agent', agent], { columns: 100, rows: 40 });
      await window.until('Do you trust the files in this folder?');
      window.type('y\r');
      const report = await reportOf(
        door,
        ({ endedAt, escalations }) => endedAt !== undefined || escalations.length > 0,
      );

      expect(report).toMatchObject({ outcome: { kind: 'done' }, escalations: [], crashes: [] });
      if (agent === 'claude')
        expect(readFileSync(join(door.home, '.claude.json'), 'utf8')).not.toContain('Accepted":true');
      else expect(readdirSync(join(door.home, '.codex')).filter((name) => name.startsWith('devs-'))).toEqual([]);
    },
    240_000,
  );

  it.skipIf(AGENTS[agent] === '')(
    'brings its question to the user where its own permissions do not allow the work',
    async () => {
      const door = await openFirstHour(agent, 'ask');
      await begin(door);
      await door.run('config', '--trust-folder');
      await door.run('run', 'one-step', 'Make the file', '--agent', agent);
      const report = await reportOf(door, () => true);

      expect(report.escalations).toMatchObject([
        {
          question: QUESTIONS[agent],
          diagnosis: expect.stringContaining('made.txt'),
        },
      ]);
    },
    240_000,
  );
});
