import type { AgentModel } from '@devs/builtin-agent';
import { CliError, UsageError } from '../cli-error.js';
import { readScenarioFile } from '../debug/model-server/read-scenario-file.js';
import { guessProvider, NO_SCRIPTED_MODEL } from './configured-model.js';
import { defaultModel, type ModelListing } from './default-model.js';
import type { AgentOptions } from './run-builtin-agent.js';

/** Each loaded only where it is chosen: the agent starts often, and the SDKs are large. */
export interface ModelLoaders {
  /** Only in a checkout of devs. */
  readonly scripted: (() => Promise<typeof import('@devs/scripted-model')>) | undefined;
  readonly anthropic: () => Promise<typeof import('@devs/model/anthropic')>;
  readonly openai: () => Promise<typeof import('@devs/model/openai')>;
}

export interface ModelChoice {
  readonly options: Pick<AgentOptions, 'provider' | 'model' | 'baseUrl' | 'scenario' | 'window'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly models: ModelLoaders;
  readonly cacheFolder: string;
  readonly now: number;
}

const WINDOWS = { anthropic: 200_000, openai: 128_000, scripted: 200_000 } as const;
const WAYS_TO_A_MODEL =
  'set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a server of your own with --base-url URL --model NAME';
const KEYS = { anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY' } as const;
/** The names that the providers' own SDKs read. */
const SERVERS = { anthropic: 'ANTHROPIC_BASE_URL', openai: 'OPENAI_BASE_URL' } as const;

/** Which model the built-in agent talks to. Keys come from the environment only: a command line can be read by others. */
export async function chooseModel(choice: ModelChoice): Promise<AgentModel> {
  const { options, env, models } = choice;
  const { baseUrl, scenario, model: name } = options;
  const window = countOf('--window', options.window);
  const provider = options.provider ?? guessProvider({ scenario, baseUrl, name }, env);
  switch (provider) {
    case undefined:
      throw new CliError(`there is no model, so nothing was done: ${WAYS_TO_A_MODEL}.`);
    case 'scripted':
      return scriptedModel(choice, window);
    case 'anthropic': {
      const { createAnthropicClient, listAnthropicModels } = await models.anthropic();
      const server = serverOf(choice, provider);
      const model = await nameOf(choice, provider, (signal) => listAnthropicModels(server, signal));
      const open = (system: string) => createAnthropicClient({ ...server, model, system });
      return { provider, name: model, keyName: KEYS.anthropic, window: window ?? WINDOWS.anthropic, open };
    }
    case 'openai': {
      const { createOpenAiClient, listOpenAiModels } = await models.openai();
      const server = serverOf(choice, provider);
      const model = await nameOf(choice, provider, (signal) => listOpenAiModels(server, signal));
      const open = (system: string) => createOpenAiClient({ ...server, model, system });
      return { provider, name: model, keyName: KEYS.openai, window: window ?? WINDOWS.openai, open };
    }
    default:
      throw new UsageError(`there is no provider '${provider}': scripted, anthropic or openai.`);
  }
}

async function scriptedModel({ options, models }: ModelChoice, window: number | undefined): Promise<AgentModel> {
  if (options.scenario === undefined) throw new UsageError('--provider scripted needs --scenario FILE.');
  if (models.scripted === undefined) throw new CliError(`${NO_SCRIPTED_MODEL}: ${WAYS_TO_A_MODEL}.`);
  const model = await models.scripted();
  const scenario = await readScenarioFile(model, options.scenario);
  const open = (system: string) => model.createScriptedLlmClient(scenario, { system });
  return {
    provider: 'scripted',
    name: options.model ?? 'scripted',
    window: window ?? scenario.window ?? WINDOWS.scripted,
    open,
  };
}

const nameOf = async (
  choice: ModelChoice,
  provider: ModelListing['provider'],
  list: ModelListing['list'],
): Promise<string> => {
  const { options, cacheFolder, now } = choice;
  const { baseUrl } = serverOf(choice, provider);
  return options.model ?? defaultModel({ provider, baseUrl, cacheFolder, now, list });
};

function serverOf({ options, env }: ModelChoice, provider: ModelListing['provider']) {
  const baseUrl = options.baseUrl ?? (env[SERVERS[provider]] || undefined);
  return { apiKey: keyIn(env, KEYS[provider], baseUrl), baseUrl };
}

/** A server of the user's own may need none. */
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
