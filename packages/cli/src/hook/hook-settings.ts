import { join } from 'node:path';
import { readProjectFile } from '@devs/worktree/project-file';

/** Parts of the hooks, each of them optional. From `.devs/hooks.json`, overridden by the environment. */
export interface HookSettings {
  readonly enabled: boolean;
  /** The ledger after a compaction. */
  readonly compact: boolean;
  /** What is open, at the start and after a clear. */
  readonly open: boolean;
  /** The specs, every so many turns and when they changed. */
  readonly reminder: boolean;
  /** How long the ledger may be after a compaction. */
  readonly budgetChars: number;
  /** How long what is open in the conversation before may be. */
  readonly openChars: number;
  readonly reminderTurns: number;
  /** From the top of the project; where they are left out, files are known by their names. */
  readonly specs: { readonly tas?: NamedSpec; readonly prd?: NamedSpec };
}

export interface NamedSpec {
  readonly file: string;
  /** Set by the user, who may name any of their files; the settings of a project come with its repository. */
  readonly isFromUser: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

const DEFAULTS: HookSettings = {
  enabled: true,
  compact: true,
  open: true,
  reminder: true,
  budgetChars: 9_900,
  openChars: 1_300,
  reminderTurns: 20,
  specs: {},
};

const SETTINGS_FILE = 'hooks.json';

/** What cannot be understood counts as not said, and is told to `onProblem`. */
export function readHookSettings(root: string, env: Env, onProblem: (problem: string) => void): HookSettings {
  const said = readFile(root, join('.devs', SETTINGS_FILE), onProblem);
  const flag = (name: 'enabled' | 'compact' | 'open' | 'reminder', variable: string) =>
    flagIn(env[variable], variable, onProblem) ?? flagIn(said[name], name, onProblem) ?? DEFAULTS[name];
  const number = (name: 'budgetChars' | 'openChars' | 'reminderTurns', variable: string, least: number) =>
    numberIn(env[variable], { name: variable, least, onProblem }) ??
    ofProject(name, numberIn(said[name], { name, least, onProblem })) ??
    DEFAULTS[name];
  const specs = recordIn(said.specs) ?? {};
  const tas = specIn(env.DEVS_HOOK_TAS, true) ?? specIn(specs.tas, false);
  const prd = specIn(env.DEVS_HOOK_PRD, true) ?? specIn(specs.prd, false);
  return {
    enabled: flag('enabled', 'DEVS_HOOK'),
    compact: flag('compact', 'DEVS_HOOK_COMPACT'),
    open: flag('open', 'DEVS_HOOK_OPEN'),
    reminder: flag('reminder', 'DEVS_HOOK_REMINDER'),
    budgetChars: number('budgetChars', 'DEVS_HOOK_BUDGET_CHARS', 1_000),
    openChars: number('openChars', 'DEVS_HOOK_OPEN_CHARS', 500),
    reminderTurns: number('reminderTurns', 'DEVS_HOOK_REMINDER_TURNS', 1),
    specs: { ...(tas !== undefined && { tas }), ...(prd !== undefined && { prd }) },
  };
}

/** The file comes with the repository: it may make what an agent is shown shorter, and not longer. */
const ofProject = (name: 'budgetChars' | 'openChars' | 'reminderTurns', said: number | undefined) =>
  said === undefined || name === 'reminderTurns' ? said : Math.min(said, DEFAULTS[name]);

function readFile(root: string, path: string, onProblem: (problem: string) => void): Readonly<Record<string, unknown>> {
  const file = join(root, path);
  const found = readProjectFile(root, path);
  if (found.status === 'missing') return {}; // most projects have none
  if (found.status === 'refused') {
    onProblem(`${file} is ignored: ${found.why}`);
    return {};
  }
  try {
    const said = recordIn(JSON.parse(found.text));
    if (said !== undefined) return said;
  } catch {}
  onProblem(`${file} is not a JSON object and was left out of account`);
  return {};
}

const ON = new Set(['on', '1', 'true', 'yes']);
const OFF = new Set(['off', '0', 'false', 'no']);

function flagIn(value: unknown, name: string, onProblem: (problem: string) => void): boolean | undefined {
  if (value === undefined || value === '' || typeof value === 'boolean') return value === '' ? undefined : value;
  const word = String(value).toLowerCase();
  if (ON.has(word) || OFF.has(word)) return ON.has(word);
  onProblem(`${name} is neither on nor off`);
  return undefined;
}

interface WantedNumber {
  readonly name: string;
  readonly least: number;
  readonly onProblem: (problem: string) => void;
}

function numberIn(value: unknown, { name, least, onProblem }: WantedNumber): number | undefined {
  if (value === undefined || value === '') return undefined;
  const number = Number(value);
  if (Number.isInteger(number) && number >= least) return number;
  onProblem(`${name} is not a whole number of ${least} or more`);
  return undefined;
}

const specIn = (value: unknown, isFromUser: boolean): NamedSpec | undefined =>
  typeof value === 'string' && value !== '' ? { file: value, isFromUser } : undefined;

const recordIn = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
