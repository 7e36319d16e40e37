import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ModelServer, startModelServer } from '@devs/scripted-model';

/** A user with a home, a project and a scripted model, and all that was opened there. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model: ModelServer;
  readonly closers: (() => Promise<void>)[];
  /** Milliseconds from the prompt to its request at the model. Resolves when its turn is over. */
  timed(prompt: Prompted, name: string): Promise<number>;
}

/** Gives an idle agent a prompt; resolves when its turn is over. */
export type Prompted = (text: string) => Promise<void>;

export async function openPlace(): Promise<Place> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-bench-channel-')));
  const [home, project] = [join(folder, 'home'), join(folder, 'project')];
  for (const path of [home, project, join(home, '.codex')]) mkdirSync(path);
  const model = await startModelServer();
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true, theme: 'dark' }));
  writeFileSync(join(home, '.codex', 'config.toml'), codexConfig(model.url));
  return {
    folder,
    home,
    project,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TERM: 'xterm-256color',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_AUTH_TOKEN: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
      FAKE_KEY: 'none',
    },
    model,
    closers: [],
    async timed(prompt, name) {
      await pause(REST_MS); // what an agent does after a turn is none of the next
      const begun = Date.now();
      await prompt(name);
      const request = model.requests().find((one) => one.prompt.endsWith(name) && one.purpose === 'turn');
      if (request === undefined) throw new Error(`${name} did not reach the model`);
      return request.at - begun;
    },
  };
}

const REST_MS = 500;

export async function closeAll({ closers, model, folder }: Place): Promise<void> {
  for (const close of closers.toReversed()) await close();
  await model.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

const codexConfig = (url: string): string => `model = "gpt-5.5-codex"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.fake]
name = "fake"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
[features]
plugins = false
apps = false
remote_plugin = false
daemon_auto_start = false
`;
