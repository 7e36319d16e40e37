import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const DEVS = fileURLToPath(new URL('../../../packages/cli/bin/devs.mjs', import.meta.url));

const WORKFLOW = `name: small
description: One small thing
steps:
  - { id: tell, type: action, instructions: Say that it is done. }
`;

const envelope = (tool: string, input: object) =>
  JSON.stringify({
    schema_version: '1.0',
    turn_index: 0,
    agent_id: 'worker',
    phase: 'work',
    thought: { reasoning: 'The next thing', plan: 'One thing at a time' },
    action: { tool_name: tool, arguments: input },
  });

const rule = (words: readonly string[], say: string) => ({
  when: { prompt: ['OBSERVATION {"tool_name":"workflow_', ...words] },
  reply: [{ say }],
});

const SCENARIO = {
  name: 'small',
  rules: [
    rule(['End your turn now'], envelope('end_turn', { message: 'Waiting.' })),
    rule(['"status":"complete"'], envelope('end_turn', { message: 'All is done.' })),
    rule(['"step":"tell"'], envelope('workflow_advance', { output: 'Done.' })),
  ],
  default: [{ say: envelope('workflow_status', {}) }],
};

/** A clone with a bare remote and a home of its own, in which the real program starts runs. */
export function openStarts() {
  const root = mkdtempSync(join(tmpdir(), 'devs-bench-starts-'));
  const folder = join(root, 'project');
  const env = {
    ...process.env,
    HOME: root,
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CONFIG_HOME: join(root, 'config'),
  };
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=user', '-c', 'user.email=user@localhost', ...args], { cwd: root });
  const devs = (...args: readonly string[]) =>
    spawn(process.execPath, [DEVS, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  git('init', '--quiet', '--bare', '--initial-branch=main', 'remote.git');
  git('init', '--quiet', '--initial-branch=main', 'project');
  git('-C', 'project', 'remote', 'add', 'origin', join(root, 'remote.git'));
  writeFileSync(join(folder, 'README.md'), 'A project\n');
  git('-C', 'project', 'add', '.');
  git('-C', 'project', 'commit', '--quiet', '--message', 'Begin');
  git('-C', 'project', 'push', '--quiet', 'origin', 'main');
  mkdirSync(join(root, 'config', 'devs'), { recursive: true });
  writeFileSync(
    join(root, 'config', 'devs', 'config.yaml'),
    'agent: builtin\nworkflow: small\nmodel: { window: 30000 }\n',
  );
  mkdirSync(join(folder, '.devs', 'workflows'), { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, '.devs', 'workflows', 'small.yaml'), WORKFLOW);
  const scenario = join(root, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(SCENARIO));
  const ended = async (...args: readonly string[]) => {
    const child = devs(...args);
    child.stdout.resume();
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`devs ${args.join(' ')} ended with ${code}`);
  };
  return {
    trust: () => ended('config', '--trust'),
    /** From the command until the agent of the run has begun, in milliseconds. */
    async start(store: string): Promise<number> {
      const begun = performance.now();
      const child = devs('run', 'Do it', '--provider', 'scripted', '--scenario', scenario, '--store', store, '--json');
      const exit = once(child, 'exit');
      let tookMs: number | undefined;
      for await (const line of createInterface({ input: child.stdout }))
        if (line.includes('"run.begun"')) tookMs ??= performance.now() - begun;
      await exit;
      if (tookMs === undefined) throw new Error('the run has not begun');
      return tookMs;
    },
    async close() {
      await ended('down').catch(() => {});
      rmSync(root, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
