import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ClaudePlace {
  /** The program. */
  readonly claude: string;
  readonly home: string;
  readonly project: string;
  readonly plugin: string;
  readonly modelUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Commands that the user allows in advance; default: all. */
  readonly allowed?: readonly string[];
}

type Line = { readonly type: string; readonly subtype?: string } & Readonly<Record<string, unknown>>;

/** A real Claude Code that talks to a scripted model: no user's settings, nothing beyond loopback. */
export function claudeEnvironment({ home, modelUrl, env }: ClaudePlace): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_AUTH_TOKEN: 'none',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    ...env,
  };
}

/** One conversation, as long as it is not closed. What is sent is answered before the next is sent. */
export function startClaude(place: ClaudePlace) {
  prepareHome(place);
  const flags = '-p --input-format stream-json --output-format stream-json --verbose --permission-mode acceptEdits';
  const allowed = (place.allowed ?? ['Bash']).flatMap((tool) => ['--allowedTools', tool]);
  const child = spawn(place.claude, [...flags.split(' '), ...allowed, '--plugin-dir', place.plugin], {
    cwd: place.project,
    env: claudeEnvironment(place),
    stdio: 'pipe',
  });
  const lines: Line[] = [];
  const waiting: ((line: Line) => void)[] = [];
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as Line;
    lines.push(line);
    if (line.type === 'result') waiting.shift()?.(line);
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    lines,
    async send(content: string): Promise<string> {
      const result = new Promise<Line>((resolve) => waiting.push(resolve));
      child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`);
      const line = await Promise.race([
        result,
        ended.then((code) => Promise.reject(new Error(`ended: ${code} ${stderr}`))),
      ]);
      return String(line.result ?? '');
    },
    async close() {
      child.stdin.end();
      return { exitCode: await ended, stderr };
    },
  };
}

function prepareHome({ home, project }: ClaudePlace): void {
  mkdirSync(home, { recursive: true });
  const trusted = { allowedTools: [], hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  const settings = { numStartups: 3, hasCompletedOnboarding: true, theme: 'dark', projects: { [project]: trusted } };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(settings));
}
