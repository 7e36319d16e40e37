import type { AgentModel } from '@devs/agent';
import { CliError, UsageError } from '../cli-error.js';
import type { AgentOptions } from './agent-options.js';
import { unconfiguredScenario } from './unconfigured-scenario.js';

/** Each loaded only where it is chosen: the agent starts often, and the SDKs are large. */
export interface ModelLoaders {
  readonly scripted: () => Promise<typeof import('@devs/model')>;
  readonly anthropic: () => Promise<typeof import('@devs/model/anthropic')>;
  readonly openai: () => Promise<typeof import('@devs/model/openai')>;
}

export interface ModelChoice {
  readonly options: Pick<AgentOptions, 'provider' | 'model' | 'baseUrl' | 'scenario' | 'window'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly models: ModelLoaders;
}

const WINDOWS = { anthropic: 200_000, openai: 128_000, scripted: 200_000 } as const;
const DEFAULT_ANTHROPIC_MODEL = 'claude-sonnet-4-5';

/** Which model the built-in agent talks to. Keys come from the environment only: a command line can be read by others. */
export async function chooseModel({ options, env, models }: ModelChoice): Promise<AgentModel> {
  const { provider, baseUrl } = options;
  switch (provider) {
    case 'scripted': {
      const { createScriptedLlmClient, readScenario } = await models.scripted();
      const scenario = options.scenario === undefined ? unconfiguredScenario() : await readScenario(options.scenario);
      const window = countOf('--window', options.window) ?? scenario.window ?? WINDOWS.scripted;
      const open = (system: string) => createScriptedLlmClient(scenario, { system });
      return { provider, name: options.model ?? 'scripted', window, open };
    }
    case 'anthropic': {
      const { createAnthropicClient } = await models.anthropic();
      const model = options.model ?? DEFAULT_ANTHROPIC_MODEL;
      const apiKey = keyIn(env, 'ANTHROPIC_API_KEY', baseUrl);
      const open = (system: string) => createAnthropicClient({ model, apiKey, baseUrl, system });
      return { provider, name: model, window: countOf('--window', options.window) ?? WINDOWS.anthropic, open };
    }
    case 'openai': {
      const { createOpenAiClient } = await models.openai();
      const { model } = options;
      if (model === undefined) throw new UsageError('--provider openai needs --model NAME.');
      const apiKey = keyIn(env, 'OPENAI_API_KEY', baseUrl);
      const open = (system: string) => createOpenAiClient({ model, apiKey, baseUrl, system });
      return { provider, name: model, window: countOf('--window', options.window) ?? WINDOWS.openai, open };
    }
    default:
      throw new UsageError(`there is no provider '${provider}': scripted, anthropic or openai.`);
  }
}

/** A server of one's own may need none. */
function keyIn(env: ModelChoice['env'], name: string, baseUrl: string | undefined): string {
  const key = env[name];
  if (key !== undefined && key !== '') return key;
  if (baseUrl !== undefined) return 'none';
  throw new CliError(`${name} is not set: put your key there, or name a server of your own with --base-url.`);
}

export function countOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new UsageError(`${option} needs a whole number above 0, not '${text}'.`);
}
