import { z } from 'zod';
import { innerOf } from '../yaml/schema-parts.js';
import { isSettingValues, type SettingValues } from './setting-values.js';
import { DEFAULT_SETTINGS, SettingsSchema } from './settings.js';

/** What goes without saying: these keys are shown by an example. */
const EXAMPLES: SettingValues = {
  budget: {
    tokens: 5_000_000,
    usd: 10,
    minutes: 240,
    day: { usd: 50 },
    price: { input: 3, output: 15, cached: 0.3 },
  },
  setup: [['npm', 'ci']],
  checks: [['npm', 'test']],
  reinjection: { tas: 'docs/tas.md', prd: 'docs/prd.md' },
  notices: { command: ['notify-send', 'devs'] },
  dialogs: [{ question: '^Do you trust this folder', keys: '1' }],
  model: { provider: 'anthropic', name: 'a-model', baseUrl: 'http://127.0.0.1:8080/v1', window: 200_000 },
  permissions: { allow: ['npm test'] },
  agents: { 'my-agent': { command: ['my-agent', '--fast'], prompt: '^> ' } },
};

const HEAD = `# How devs works in this project. Every key is optional: what stands behind a # is the default, or an example.
# \`devs config\` shows every value with where it comes from; flags of \`devs run\` count for more.
`;

/** An initial configuration file: chosen values are set, all others are comments. */
export function renderConfigFile(chosen: SettingValues): string {
  const parts = Object.entries(SettingsSchema.shape).map(([name, schema]) => renderKey(name, schema, chosen[name]));
  return `${HEAD}\n${parts.join('\n')}`;
}

function renderKey(name: string, schema: z.ZodType, said: unknown): string {
  const inner = innerOf(schema);
  const shown = said ?? exampleOf(name);
  const lines = inner instanceof z.ZodObject ? renderGroup(name, inner, shown) : [`${name}: ${flow(shown)}`];
  const text = said === undefined ? lines.map((line) => `# ${line}`) : lines;
  return `# ${schema.description}\n${text.join('\n')}\n`;
}

/** Defaults, with the example where there is none. */
function exampleOf(name: string): unknown {
  const normal = DEFAULTS[name];
  const example = EXAMPLES[name];
  return isSettingValues(normal) && isSettingValues(example) ? { ...normal, ...example } : (example ?? normal);
}

const DEFAULTS: SettingValues = DEFAULT_SETTINGS;

function renderGroup(name: string, { shape }: z.ZodObject, shown: unknown): string[] {
  const values = isSettingValues(shown) ? shown : {};
  const known = Object.entries(shape).filter(([key]) => values[key] !== undefined);
  return [`${name}:`, ...known.map(([key, { description }]) => `  ${key}: ${flow(values[key])} # ${description}`)];
}

/** On one line, as a person would write it. */
export function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (isSettingValues(value)) {
    const entries = Object.entries(value).map(([key, entry]) => `${key}: ${flow(entry)}`);
    return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
  }
  if (typeof value !== 'string') return String(value);
  return isPlain(value) ? value : JSON.stringify(value);
}

/** Not what YAML would take for something else. */
const isPlain = (text: string): boolean =>
  /^[A-Za-z./_][\w./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|\.inf|\.nan|\.)$/i.test(text);
