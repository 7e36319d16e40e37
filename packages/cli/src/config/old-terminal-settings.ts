import { readFileSync } from 'node:fs';
import type { SettingsLayer } from '@devs/core';

interface OldSettings {
  readonly layers: readonly SettingsLayer[];
  /** How to move them, for people. */
  readonly notes: readonly string[];
}

const NOTHING: OldSettings = { layers: [], notes: [] };

/** The keys of `terminals.json`, and what they are called in the configuration. */
const KEYS = {
  prefixKey: ['terminals', 'prefixKey'],
  title: ['terminals', 'title'],
  bell: ['notices', 'bell'],
  notifyCommand: ['notices', 'command'],
} as const;

/** `terminals.json` of earlier versions, which counts less than the configuration of the user. It is read in this version only. */
export function readOldTerminalSettings(file: string, config: string): OldSettings {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return NOTHING; // most users have none
  }
  const moved = `${Object.entries(KEYS)
    .map(([old, path]) => `${old} is ${path.join('.')}`)
    .join(', ')}`;
  const notes = [`${file} is read for the last time: move its keys to ${config} (${moved}) and delete it`];
  const said = parseObject(text);
  if (said === undefined) return { layers: [], notes: [...notes, `${file} is not a JSON object and is ignored`] };
  return { layers: [{ where: file, text: JSON.stringify(renamed(said)) }], notes };
}

/** Unknown keys did nothing, and do nothing. */
function renamed(said: Readonly<Record<string, unknown>>): object {
  const sections: Record<string, Record<string, unknown>> = {};
  for (const [old, [section, key]] of Object.entries(KEYS)) {
    if (said[old] === undefined) continue;
    const value = old === 'notifyCommand' && typeof said[old] === 'string' ? [said[old]] : said[old];
    sections[section] = { ...sections[section], [key]: value };
  }
  return sections;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
