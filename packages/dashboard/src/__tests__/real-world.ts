import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connectSupervisor } from '@devs/server/client';

const CHECKOUT = fileURLToPath(new URL('../../../../', import.meta.url));
const DEVS = join(CHECKOUT, 'packages/cli/bin/devs.mjs');
const ACP_AGENT = join(CHECKOUT, 'packages/builtin-agent/fixtures/acp-agent.mjs');

const WORKFLOW = `name: small
description: Two steps
steps:
  - { id: write, type: action, instructions: Write the file and commit it. }
  - { id: tell, type: action, instructions: Say that it is done. }
`;

/** Stands for Claude Code in a terminal of the user's own: it shows the keys that it gets. */
const KEYS_AGENT = `#!/bin/sh
[ "$1" = --version ] && echo '2.1.325' && exit
echo ready
exec "${process.execPath}" -e 'process.stdin.setRawMode(true); process.stdin.on("data", (bytes) => process.stdout.write("[" + bytes.toString("hex") + "]"));'
`;

/** A user with a project, who has started the real supervisor with the real command; nothing of this machine counts. */
export interface RealWorld {
  readonly project: string;
  devs(...args: readonly string[]): Promise<string>;
  git(...args: readonly string[]): string;
  /** Starts a run of the built-in agent whose model answers by these rules. */
  run(request: string, rules: readonly Rule[]): Promise<string>;
  /** Starts a run of an agent that speaks ACP. */
  runAcp(request: string): Promise<string>;
  /** Their names are this one with a number. */
  startTerminals(count: number, name?: string): Promise<readonly string[]>;
  /** As a crash would. Agents run on; who comes next finds them. */
  killSupervisor(): Promise<void>;
  makeLink(...flags: readonly string[]): Promise<string>;
  dispose(): Promise<void>;
}

/** What the model answers where all of these texts are in its prompt. */
export interface Rule {
  readonly on: readonly string[];
  readonly tool: string;
  readonly input: object;
  /** How long it thinks before. */
  readonly delay?: string;
}

export const afterTool = (tool: string, ...texts: readonly string[]): readonly string[] => [
  `OBSERVATION {"tool_name":"${tool}`,
  ...texts,
];

export async function openRealWorld(): Promise<RealWorld> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'devs-page-real-')));
  const project = join(root, 'shop');
  const [bin, state, config] = ['bin', 'state', 'config'].map((name) => join(root, name)) as [string, string, string];
  const env = {
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    HOME: join(root, 'home'),
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: config,
    LANG: 'C.UTF-8',
  };
  for (const folder of [project, bin, env.HOME, join(config, 'devs')]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(bin, 'claude'), KEYS_AGENT);
  chmodSync(join(bin, 'claude'), 0o755);
  const agents = JSON.stringify({ mine: { acp: [process.execPath, ACP_AGENT] } });
  const settings = `agent: builtin\nworkflow: small\nchecks: [["true"]]\nmodel: { window: 100000 }\nagents: ${agents}\n`;
  writeFileSync(join(config, 'devs', 'config.yaml'), settings);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Anna', '-c', 'user.email=anna@example.com', ...args], {
      cwd: project,
      encoding: 'utf8',
    });
  mkdirSync(join(project, '.devs', 'workflows'), { recursive: true, mode: 0o700 });
  writeFileSync(join(project, '.devs', 'workflows', 'small.yaml'), WORKFLOW);
  writeFileSync(join(project, 'README.md'), '# shop\n');
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Anna');
  git('config', 'user.email', 'anna@example.com');
  git('add', 'README.md');
  git('commit', '--quiet', '--message', 'Begin');
  const devs = async (...args: readonly string[]) =>
    (await promisify(execFile)(process.execPath, [DEVS, ...args], { cwd: project, env, encoding: 'utf8' })).stdout;
  await devs('config', '--trust');
  await devs('up');
  const socketPath = join(state, 'devs', 'supervisor', 'api.sock');
  let scenarios = 0;
  return {
    project,
    devs,
    git,
    async run(request, rules) {
      const file = join(root, `scenario-${++scenarios}.json`);
      writeFileSync(file, JSON.stringify(scenarioOf(rules)));
      return idIn(await devs('run', '--detach', '--provider', 'scripted', '--scenario', file, request));
    },
    runAcp: async (request) => idIn(await devs('run', '--detach', '--agent', 'mine', request)),
    async startTerminals(count, prefix = 'own') {
      const client = await connectSupervisor(socketPath);
      const caller = { folder: project, environment: env };
      const names: string[] = [];
      for (let index = 0; index < count; index++) {
        const name = `${prefix}-${index}`;
        const started = await client?.call('terminals.start', { agent: 'claude', args: [], name, caller });
        if (started?.status !== 'started') throw new Error(JSON.stringify(started));
        names.push(name);
      }
      client?.close();
      return names;
    },
    async killSupervisor() {
      const client = await connectSupervisor(socketPath);
      const { pid } = (await client?.call('status.get', {})) ?? {};
      client?.close();
      if (pid === undefined) throw new Error('there is no supervisor');
      process.kill(pid, 'SIGKILL');
    },
    makeLink: async (...flags) => (JSON.parse(await devs('ui', '--json', ...flags)) as { url: string }).url,
    async dispose() {
      await devs('down').catch(() => {});
      endAll(state);
      rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function idIn(printed: string): string {
  const [id] = /run-[0-9a-f]+/.exec(printed) ?? [];
  if (id === undefined) throw new Error(`no run was started: ${printed}`);
  return id;
}

const envelope = ({ tool, input }: Pick<Rule, 'tool' | 'input'>): object => ({
  schema_version: '1.0',
  turn_index: 0,
  agent_id: 'worker',
  phase: 'work',
  thought: { reasoning: 'The next thing', plan: 'One thing at a time' },
  action: { tool_name: tool, arguments: input },
});

/** The model remembers nothing: each rule looks at what the agent has just observed. Any other prompt: where am I? */
const scenarioOf = (rules: readonly Rule[]) => ({
  name: 'page',
  rules: [...ENDS, ...rules].map((rule) => ({
    when: { prompt: rule.on },
    reply: [...(rule.delay === undefined ? [] : [{ delay: rule.delay }]), { json: envelope(rule) }],
  })),
  default: [{ json: envelope({ tool: 'workflow_status', input: {} }) }],
});

const ENDS: readonly Rule[] = [
  { on: afterTool('workflow_', 'End your turn now'), tool: 'end_turn', input: { message: 'Waiting.' } },
  { on: afterTool('workflow_', '"status":"complete"'), tool: 'end_turn', input: { message: 'All is done.' } },
];

/** What was started for this world is known by its state folder, which no other process has. */
function endAll(state: string): void {
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      if (readFileSync(`/proc/${name}/environ`, 'utf8').includes(`XDG_STATE_HOME=${state}\0`))
        process.kill(Number(name), 'SIGKILL');
    } catch {
      // gone meanwhile, or of another user
    }
  }
}
