import type { SettingsLayer } from '@devs/core';
import { PROGRAM_AGENTS } from '@devs/drivers/agents';
import { Option } from 'commander';
import { UsageError } from '../cli-error.js';
import { visible } from '../screen/visible.js';

const KEY = /^[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)*$/;

export const agentOption = () =>
  new Option('--agent <agent>', `${['auto', ...PROGRAM_AGENTS, 'builtin'].join(', ')} or one of your own`);

/** Any setting for one command, as `--set renewal.enabled=false`. */
export const setOption = () =>
  new Option('--set <key=value>', 'any setting of devs config, for this run').argParser(
    (text: string, before: readonly SettingsLayer[] = []): readonly SettingsLayer[] => [...before, layerOfText(text)],
  );

function layerOfText(text: string): SettingsLayer {
  const [key = '', ...rest] = text.split('=');
  if (!KEY.test(key) || rest.length === 0)
    throw new UsageError(`--set ${visible(text)}: give a key and a value, such as --set renewal.enabled=false.`);
  return settingLayer(`--set ${key}`, key, rest.join('='));
}

/** A flag for one setting; `value` is written as in the file. */
function settingLayer(where: string, key: string, value: string): SettingsLayer {
  const lines = key.split('.').map((name, depth) => `${' '.repeat(depth)}${name}:`);
  return { where, text: `${lines.join('\n')} ${value}\n` };
}

/** The same for any text, number or list. */
export const valueLayer = (
  where: string,
  key: string,
  value: string | number | boolean | readonly string[],
): SettingsLayer => settingLayer(where, key, JSON.stringify(value));
