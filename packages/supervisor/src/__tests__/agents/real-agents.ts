import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClaudeCodeDriver, createCodexDriver } from '@devs/drivers';
import type { SuperviseRequest } from '../../supervised-terminal.js';
import { openScene, prepareClaude, prepareCodex } from './scene.js';

/** The program that agents start as a server of tools. */
export const DEVS = fileURLToPath(new URL('../../../../cli/bin/devs.mjs', import.meta.url));

const CLAUDE = process.env.DEVS_CLAUDE_CODE ?? '';
const CODEX = process.env.DEVS_CODEX ?? '';

/** What a test has to know of a real agent to have it do the same as another one. */
export interface RealAgent {
  readonly name: string;
  readonly isThere: boolean;
  /** Fills it over its firm mark. */
  readonly full: string;
  /** Has it ask for a permission to make `granted.txt`, and the key that gives it. */
  readonly ask: string;
  readonly yes: string;
  /** Extra arguments of a user that make it ask, or not. */
  readonly asking: readonly string[];
  readonly trusting: readonly string[];
  open(options?: { readonly args?: readonly string[]; readonly theirs?: TheirServer }): ReturnType<typeof openClaude>;
}

/** The user's own server of tools. */
interface TheirServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

interface Opening {
  readonly args?: readonly string[];
  readonly theirs?: TheirServer;
}

async function openClaude({ args = ['--permission-mode=acceptEdits'], theirs }: Opening = {}) {
  const scene = await openScene();
  const { home, project, model } = scene;
  prepareClaude(home, project);
  if (theirs !== undefined) {
    const file = join(home, '.claude.json');
    const config = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...config, mcpServers: { theirs: { type: 'stdio', ...theirs } } }));
  }
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
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
  const request: Pick<SuperviseRequest, 'place' | 'launch' | 'policy'> = {
    place: { folder: project, home, env, command: CLAUDE },
    launch: {
      userArgs: [...args, '--append-system-prompt', 'WORDS OF THE USER', '--add-dir', home],
      systemPrompt: 'WORDS OF DEVS',
    },
    policy: { resumeMs: 100 },
  };
  return { ...scene, driver: createClaudeCodeDriver({ clock: Date }), request };
}

async function openCodex({ args = ['-a', 'never'], theirs }: Opening = {}): ReturnType<typeof openClaude> {
  const scene = await openScene();
  const { home, project, model } = scene;
  prepareCodex(home, project, model.url);
  if (theirs !== undefined) {
    const file = join(home, '.codex', 'config.toml');
    const { command, args: words, env } = theirs;
    const variables = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
    writeFileSync(
      file,
      `${readFileSync(file, 'utf8')}[mcp_servers.theirs]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(words)}
env = { ${variables.join(', ')} }
`,
    );
  }
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    CODEX_HOME: join(home, '.codex'),
    FAKE_KEY: 'none',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
  };
  const request: Pick<SuperviseRequest, 'place' | 'launch' | 'policy'> = {
    place: { folder: project, home, env, command: CODEX },
    launch: { userArgs: [...args], systemPrompt: 'WORDS OF DEVS' },
    policy: { resumeMs: 100 },
  };
  return { ...scene, driver: createCodexDriver({ clock: Date }), request };
}

const escalated = { cmd: 'touch granted.txt', sandbox_permissions: 'require_escalated', justification: 'needed' };

export const CLAUDE_CODE: RealAgent = {
  name: 'Claude Code',
  isThere: CLAUDE !== '',
  full: '@model usage input=400000 output=25',
  ask: '@model run touch granted.txt',
  yes: '1',
  asking: ['--permission-mode=manual'],
  trusting: ['--permission-mode=acceptEdits', '--allowedTools', 'mcp__devs,mcp__theirs'],
  open: openClaude,
};

export const CODEX_CLI: RealAgent = {
  name: 'Codex',
  isThere: CODEX !== '',
  full: '@model usage input=140000 output=25',
  ask: `@model tool exec_command ${JSON.stringify(escalated)}`,
  yes: 'y',
  asking: ['-a', 'on-request'],
  trusting: ['-a', 'never'],
  open: openCodex,
};
