import type { Environment } from '../ports/agent-driver.js';
import { assignedKind } from '../redaction/assigned-kind.js';
import { judgeKey } from '../redaction/credential-key.js';
import { holdsKnownSecret } from '../redaction/holds-known-secret.js';

/**
 * Regardless of their value. Keys are for the agent's own model, the address of the store contains its password, and
 * the rest gives access to the user's accounts.
 */
const KEPT_BACK = new Set([
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'OPENAI_API_KEY', 'CODEX_API_KEY'],
  ...[
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'OPENROUTER_API_KEY',
    'AZURE_OPENAI_API_KEY',
    'MISTRAL_API_KEY',
    'GROQ_API_KEY',
  ],
  ...['DEEPSEEK_API_KEY', 'XAI_API_KEY', 'AWS_BEARER_TOKEN_BEDROCK', 'DEVS_STORE', 'SSH_AUTH_SOCK', 'SSH_AGENT_PID'],
]);

/** git would tidy up the whole repository after a commit, which a command in a sandbox cannot. */
const GIT_SETTINGS = [
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
] as const;

/**
 * Whether a variable is kept from commands: model keys, access to the user's accounts, and anything that looks like a
 * secret. Pure.
 */
export const isKeptBack = (name: string, value: string): boolean =>
  KEPT_BACK.has(name.toUpperCase()) || isSecretVariable(name, value);

/** Environment for a command of an agent, or for a command that runs an agent's code. Pure. */
export function commandEnvironment(env: Environment, pass: readonly string[] = []): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (pass.includes(entry[0]) || !isKeptBack(entry[0], entry[1])),
  );
  return Object.fromEntries(kept);
}

/** The names of the withheld variables. Pure. */
export function keptBackFrom(env: Environment, pass: readonly string[] = []): readonly string[] {
  const given = commandEnvironment(env, pass);
  return Object.keys(env).filter((name) => env[name] !== undefined && !Object.hasOwn(given, name));
}

/** The same for a command in a sandbox. Pure. */
export function sandboxEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const first = /^\d{1,4}$/.test(env.GIT_CONFIG_COUNT ?? '') ? Number(env.GIT_CONFIG_COUNT) : 0;
  const settings = GIT_SETTINGS.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, name],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { ...env, ...Object.fromEntries(settings), GIT_CONFIG_COUNT: String(first + GIT_SETTINGS.length) };
}

/**
 * Whether a variable of the environment is a secret: its name says so and its value does not speak against it, or its value is a
 * token that is known by its beginning. A password in an address (`DATABASE_URL`) is none here: programs need the address.
 */
const isSecretVariable = (name: string, value: string): boolean =>
  assignedKind(judgeKey(name), value) !== undefined || holdsKnownSecret(value);
