import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ModelServer } from '@devs/scripted-model';
import { type FrontDoor, openFrontDoor } from '../../terminal/__tests__/front-door.js';
import { OPENCODE_OFFLINE, setUpOpencode } from './opencode-home.js';

/** A real agent, and a user who lets it run commands. Their home knows nothing of devs. */
export interface AgentHome {
  readonly program: string;
  openDoor(model: ModelServer): FrontDoor;
  /** Its own processes, by their command lines; not those of devs that hold it. */
  readonly isAgent: RegExp;
  /** What devs is told to use it, beside its name. */
  readonly flags?: readonly string[];
}

const quietClaude = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
};

const env = process.env;

export const AGENT_HOMES = {
  claude: {
    program: env.DEVS_CLAUDE_CODE ?? '',
    isAgent: /claude-code-[\w-]+\/claude .*--input-format=stream-json/,
    flags: ['--set', 'transport=stream'],
    openDoor(model) {
      const door = openFrontDoor([this.program], {
        command: 'claude',
        version: 'its own',
        env: { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_AUTH_TOKEN: 'none', ...quietClaude },
      });
      writeFileSync(join(door.home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark' }));
      write(join(door.home, '.claude'), 'settings.json', {
        permissions: { allow: ['Bash'], defaultMode: 'acceptEdits' },
      });
      return door;
    },
  },
  codex: {
    program: env.DEVS_CODEX ?? '',
    isAgent: /bin\/codex app-server/,
    openDoor(model) {
      const door = openFrontDoor([process.execPath, this.program], {
        command: 'codex',
        version: 'its own',
        env: { FAKE_KEY: 'none' },
      });
      mkdirSync(join(door.home, '.codex'));
      writeFileSync(join(door.home, '.codex', 'config.toml'), codexConfig(model.url));
      return door;
    },
  },
  opencode: {
    program: env.DEVS_OPENCODE ?? '',
    isAgent: /bin\/opencode --port/,
    openDoor(model) {
      const door = openFrontDoor([this.program], { command: 'opencode', version: 'its own', env: OPENCODE_OFFLINE });
      setUpOpencode(door.env.XDG_CONFIG_HOME ?? '', model.url, { permission: { bash: 'allow', edit: 'allow' } });
      return door;
    },
  },
  gemini: {
    program: env.DEVS_GEMINI ?? '',
    isAgent: /bundle\/gemini\.js/,
    openDoor(model) {
      // Its settings are skipped in a folder that others can write to, as the usual one for temporary files.
      env.TMPDIR = join(homedir(), '.cache', 'devs-tests');
      mkdirSync(env.TMPDIR, { recursive: true, mode: 0o700 });
      const door = openFrontDoor([process.execPath, this.program], {
        command: 'gemini',
        version: 'its own',
        env: { GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_TELEMETRY_ENABLED: 'false' },
      });
      const allowed = ['touch', 'git', 'echo', 'sleep'].map((command) => `run_shell_command(${command})`);
      write(join(door.home, '.gemini'), 'settings.json', { tools: { allowed } });
      return door;
    },
  },
  acp: {
    program: env.DEVS_QWEN ?? '',
    isAgent: /qwen-code\/cli\.js/,
    openDoor(model) {
      const door = openFrontDoor([process.execPath, this.program], {
        command: 'qwen',
        version: 'its own',
        env: { OPENAI_API_KEY: 'scripted', OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: 'qwen3-coder' },
      });
      write(join(door.home, '.qwen'), 'settings.json', {
        security: { auth: { selectedType: 'openai' } },
        privacy: { usageStatisticsEnabled: false },
        tools: { approvalMode: 'yolo' },
      });
      const settings = 'agents: { acp: { acp: [qwen, --acp] } }\n';
      mkdirSync(join(door.env.XDG_CONFIG_HOME ?? '', 'devs'), { recursive: true });
      writeFileSync(join(door.env.XDG_CONFIG_HOME ?? '', 'devs', 'config.yaml'), settings);
      return door;
    },
  },
} satisfies Readonly<Record<string, AgentHome>>;

function write(folder: string, name: string, settings: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(settings));
}

const codexConfig = (modelUrl: string): string => `model = "gpt-5.5-codex"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
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
`;
