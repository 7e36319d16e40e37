import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '@devs/core';

export type ConfiguredModel =
  | { readonly status: 'configured'; readonly provider: string }
  | { readonly status: 'missing'; readonly reason: string; readonly advice: string };

interface ModelPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** From which a scenario's path counts. */
  readonly folder: string;
  readonly hasScriptedModel: boolean;
}

export const NO_SCRIPTED_MODEL = 'the scripted model is part of a checkout of devs, not of the installed package';

const ALL_WAYS =
  'set ANTHROPIC_API_KEY or OPENAI_API_KEY; name a server of your own with `--set model.baseUrl=URL --model NAME`; ' +
  'or install Claude Code or Codex';

/** The provider of the built-in agent, from the settings and the available keys; or what is missing. */
export function configuredModel({ model }: Pick<Settings, 'model'>, place: ModelPlace): ConfiguredModel {
  const { env, folder } = place;
  const { provider = guessProvider(model, env), baseUrl, scenario } = model;
  const has = (key: string) => (env[key] ?? '') !== '';
  switch (provider) {
    case undefined:
      return missing('it has no model', ALL_WAYS);
    case 'scripted':
      if (!place.hasScriptedModel) return missing(NO_SCRIPTED_MODEL, ALL_WAYS);
      if (scenario === undefined)
        return missing('the scripted model has no script', 'name one with `--scenario FILE`, or another --provider');
      if (!existsSync(resolve(folder, scenario)))
        return missing(`there is no file ${scenario}`, 'name an existing one with `--scenario FILE`');
      break;
    case 'openai':
      if (!has('OPENAI_API_KEY') && baseUrl === undefined)
        return missing(
          'OPENAI_API_KEY is not set',
          'put your key there, or name a server with `--set model.baseUrl=URL`',
        );
      break;
    case 'anthropic':
      if (!has('ANTHROPIC_API_KEY') && baseUrl === undefined)
        return missing(
          'ANTHROPIC_API_KEY is not set',
          'put your key there, or name a server with `--set model.baseUrl=URL`',
        );
      break;
    default:
      break; // the agent says what it knows
  }
  return { status: 'configured', provider };
}

/** Without a provider in the settings: guessed from other settings, then from the available key. */
export function guessProvider(
  { scenario, baseUrl, name }: Partial<Record<'scenario' | 'baseUrl' | 'name', string | undefined>>,
  env: ModelPlace['env'],
): string | undefined {
  if (scenario !== undefined) return 'scripted';
  if (baseUrl !== undefined && name !== undefined) return 'openai'; // what servers of one's own speak
  if ((env.ANTHROPIC_API_KEY ?? '') !== '') return 'anthropic';
  return (env.OPENAI_API_KEY ?? '') === '' ? undefined : 'openai';
}

const missing = (reason: string, advice: string): ConfiguredModel => ({ status: 'missing', reason, advice });
