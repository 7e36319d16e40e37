import { z } from 'zod';
import { OwnAgentEntry, ownAgent } from '../agent-driver/own-agent.js';
import { DEFAULT_POLICY } from '../pressure/policy.js';
import { amount, choice, command, type DeepReadonly, flag, pattern, text, texts, whole } from '../yaml/kinds.js';

const MAX_TOKENS = 1_000_000_000_000;
const MAX_MINUTES = 525_600;
const MAX_USD = 1_000_000;
const MAX_ENTRIES = 1_000;

const { marks, mostRenewals, interruptMs, mostResumes, mostParks, reminderTurns } = DEFAULT_POLICY;

/** A mapping whose keys all have a default, or need none. */
const group = <T extends z.core.$ZodLooseShape>(shape: T) => z.strictObject(shape).prefault({} as never);
const few = <T extends z.ZodArray>(list: T) => list.max(MAX_ENTRIES, `must have at most ${MAX_ENTRIES} entries`);
const commands = () => few(z.array(command()));

const budget = (whose: string) => ({
  tokens: whole(1, MAX_TOKENS).exactOptional().describe(`Input and output tokens ${whose}.`),
  usd: amount(MAX_USD).exactOptional().describe(`US dollars ${whose}, by budget.price.`),
  minutes: amount(MAX_MINUTES).exactOptional().describe(`Minutes ${whose}.`),
});

const mark = ({ share, mostTokens }: typeof marks.soft) =>
  group({
    share: amount(1).default(share).describe('Of the context window: more than 0, at most 1.'),
    tokens: whole(1, MAX_TOKENS).default(mostTokens).describe('Number of tokens at most, in a window of any size.'),
  });

const Budget = z.strictObject(budget('for one day'));

const TokenPrice = z.strictObject({
  input: amount(MAX_USD).exactOptional().describe('Input.'),
  output: amount(MAX_USD).exactOptional().describe('Output.'),
  cached: amount(MAX_USD).exactOptional().describe('Input from the cache; without it as other input.'),
});

const Dialog = z.strictObject({
  question: pattern().describe('A regular expression, tried on each line of the screen.'),
  keys: text().describe('What is typed.'),
});

/** Ctrl-C, -D and -Z belong to programs; Ctrl-I is Tab, -J and -M are Enter, -[ is Escape. */
const PREFIX_KEY = /^([Nn]one|[Cc]trl-[abe-hkln-yABE-HKLN-Y@\]\\^_])$/;

const AGENT_NAME = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,99}$/, 'must be a word in small letters, with digits and dashes');

/**
 * Every setting: the keys of `.devs/config.yaml`, in the order in which they are shown, with their values, defaults and meanings.
 * The reader, the published JSON Schema, `devs config`, the file of `devs init` and the reference in the guide come from here.
 */
export const SettingsSchema = z.strictObject({
  agent: text().default('auto').describe('Who works: auto, claude, codex, opencode, builtin, or a name under agents.'),
  workflow: text().default('feature').describe('The workflow that is run where none is named.'),
  worktree: choice('own', 'here').default('own').describe('Where a run works: in a git worktree of its own, or here.'),
  copy: few(texts()).default(['.env', '.env.local']).describe('Ignored files that a worktree of its own gets.'),
  setup: commands().default([]).describe('Commands that prepare a new worktree, as lists.'),
  checks: commands()
    .default([])
    .describe('Commands, as lists, whose success shows that the work is good. A merge wants them to pass.'),
  sandbox: choice('auto', 'required', 'off')
    .default('auto')
    .describe(
      'Whether setup, checks and the built-in agent’s commands run in a sandbox: auto (where there is one), required or off.',
    ),
  sandboxed: group({
    network: flag().default(true).describe('Whether they reach the network.'),
    read: few(texts()).default([]).describe('Paths that they see though devs hides them, such as "~/.npmrc".'),
    write: few(texts()).default([]).describe('Paths that they may change.'),
    pass: few(texts()).default([]).describe('Variables that they get though devs keeps them back, such as NPM_TOKEN.'),
  }).describe('What commands in the sandbox reach besides the worktree and caches.'),
  parallel: whole(1, 64).default(1).describe('How many tasks of the queue at a time.'),
  budget: group({
    ...budget('for one run'),
    day: Budget.prefault({}).describe('The same for a day, all runs together.'),
    price: TokenPrice.exactOptional().describe(
      'What your model costs, in US dollars for a million tokens; usd is counted by it.',
    ),
  }).describe('What may be spent at most; nothing said means no limit.'),
  pressure: group({
    soft: mark(marks.soft).describe('Here an agent is renewed when a task or step ends.'),
    firm: mark(marks.firm).describe('Here it is renewed at the next idle moment.'),
  }).describe('How full a conversation may be.'),
  renewal: group({
    enabled: flag().default(true).describe('Whether it is done.'),
    autoHandoff: flag()
      .default(true)
      .describe('Whether an agent that exits with work left is started again from its handoff.'),
    most: whole(0, 1_000)
      .default(mostRenewals)
      .describe(
        'Consecutive renewals without a finished step or task, before the agent compacts on its own. Renewals that you ask for are not counted.',
      ),
    interruptMinutes: amount(MAX_MINUTES)
      .default(interruptMs / 60_000)
      .describe(
        'Minutes above the firm mark after which the turn of an agent is interrupted for its renewal, between two tools.',
      ),
    ownWords: choice('when-needed', 'always', 'never')
      .default('when-needed')
      .describe('Whether an agent is asked for a handoff in its own words.'),
    checkpoints: choice('private', 'branch', 'branch-and-push', 'none')
      .default('private')
      .describe('Where the state of the files is kept.'),
  }).describe('Replacing a full agent with a fresh agent, which starts from a handoff.'),
  reinjection: group({
    enabled: flag().default(true).describe('Whether it is done.'),
    builtinTurns: whole(1, 1_000)
      .default(5)
      .describe('Number of turns between reminders in one step, for the built-in agent.'),
    turns: whole(1, 10_000)
      .default(reminderTurns)
      .describe('Number of turns between reminders for the other agents, where the text stays in the conversation.'),
    tas: text()
      .exactOptional()
      .describe(
        'The technical specification, as a path from the folder of the project. Found by its usual names without it.',
      ),
    prd: text().exactOptional().describe('The product specification, in the same way.'),
  }).describe('Reminding an agent of the specs.'),
  contextActions: group({
    enabled: flag().default(true).describe('Whether they are done.'),
    deadlineSeconds: whole(1, 86_400).default(120).describe('How long an agent may take for one.'),
  }).describe('The compact and clear that a step of a workflow asks for.'),
  stuck: group({
    enabled: flag().default(true).describe('Whether it is noticed.'),
    minutes: amount(MAX_MINUTES).default(20).describe('Minutes without progress.'),
    sameAction: whole(2, 1_000).default(3).describe('Times that the same action fails.'),
    sameError: whole(2, 1_000).default(3).describe('Times that the same error appears.'),
  }).describe('Noticing an agent that gets nowhere.'),
  resume: group({
    enabled: flag().default(true).describe('Whether it is done.'),
    most: whole(0, 1_000).default(mostResumes).describe('How often in a row.'),
  }).describe('Continuing with an agent that crashed.'),
  limits: group({
    park: flag().default(true).describe('Whether the run waits until the limit is over.'),
    most: whole(0, 1_000).default(mostParks).describe('How often in a row.'),
  }).describe('What is done at the usage limit of the provider.'),
  ledger: group({
    enabled: flag().default(true).describe('Whether it is done.'),
  }).describe('What is known of a conversation, given back after the agent compacted it by itself.'),
  notices: group({
    bell: flag().default(true).describe('Whether the terminal rings.'),
    command: few(command())
      .default([])
      .describe('A program and its arguments; what happened is added as the last one.'),
  }).describe('How you are told that something needs you.'),
  terminals: group({
    prefixKey: z
      .string()
      .regex(PREFIX_KEY, 'must be ctrl-b, ctrl-] or the like (not c, d, i, j, m, z or [), or none')
      .default('ctrl-]')
      .describe('The key before those of devs in `devs attach`, such as ctrl-b; none: every key goes to the agent.'),
    title: flag().default(true).describe('Whether the title of the window shows how full the conversation is.'),
  }).describe('How you see the terminals of agents.'),
  dialogs: few(z.array(Dialog)).default([]).describe('Questions of agents that are answered while no user is there.'),
  fleet: group({
    remote: text().default('origin').describe('The git remote that the work of runs travels through, in refs/devs/.'),
    labels: few(texts())
      .default([])
      .describe('What this machine has, such as gpu: tasks that need something else are left to others.'),
    parallel: whole(1, 100_000)
      .exactOptional()
      .describe('How many tasks at a time on all machines together. Without it: as many as they have slots.'),
    lostAfter: whole(10, 3_600)
      .default(45)
      .describe('Seconds without news of this machine until others may take its runs.'),
  }).describe('Several machines that share a store in Redis.'),
  observe: flag().default(false).describe('Measure, and touch nothing.'),
  model: group({
    provider: choice('anthropic', 'openai', 'scripted')
      .exactOptional()
      .describe('Whose API. Without it: by the key that is in the environment.'),
    name: text().exactOptional().describe('The model.'),
    baseUrl: text().exactOptional().describe('Another server with the same API, also on this machine.'),
    window: whole(1_000, 100_000_000).exactOptional().describe('Its context window in tokens.'),
    scenario: text().exactOptional().describe('A file with the answers of the scripted model.'),
  }).describe('The model of the built-in agent. Its key comes from the environment.'),
  permissions: group({
    mode: choice('ask', 'allow', 'deny')
      .default('allow')
      .describe('For what no rule decides: ask, allow (the built-in agent only; others ask) or deny.'),
    allow: few(texts())
      .default([])
      .describe('Tools, beginnings of commands such as "npm test", or paths such as ~/notes; * is everything.'),
    ask: few(texts()).default([]).describe('The same, to be asked about although allow names them.'),
    deny: few(texts()).default([]).describe('The same, to be refused in any case.'),
  }).describe('What the built-in agent, Claude Code by stream-json, and agents that are reached by ACP may do.'),
  transport: choice('auto', 'stream', 'terminal')
    .default('auto')
    .describe(
      'How Claude Code and Codex are driven in runs: stream (over a channel), terminal (by typing), or auto (a channel, except for Claude Code with a subscription).',
    ),
  agents: z
    .record(AGENT_NAME, OwnAgentEntry)
    .transform((entries) =>
      Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, ownAgent(name, entry)])),
    )
    .prefault({})
    .describe('Agents of your own, by their names.'),
});

/** All settings of the user, resolved: only parts without a default may be missing. */
export type Settings = DeepReadonly<z.output<typeof SettingsSchema>>;

export const DEFAULT_SETTINGS: Settings = SettingsSchema.parse({});

/** What one run goes by. */
export type RunSettings = Omit<
  Settings,
  'agent' | 'workflow' | 'parallel' | 'terminals' | 'fleet' | 'model' | 'permissions' | 'transport' | 'agents'
>;

/** A program and its arguments; never a line for a shell. */
export type Command = readonly string[];
export type Budget = DeepReadonly<z.output<typeof Budget>>;
/** US dollars for a million tokens. devs knows no prices: they change, and a subscription has none. */
export type TokenPrice = DeepReadonly<z.output<typeof TokenPrice>>;
export type SandboxedSettings = Settings['sandboxed'];
export type MarkSettings = Settings['pressure']['soft'];
export type RenewalSettings = Settings['renewal'];
export type ReinjectionSettings = Settings['reinjection'];
export type StuckSettings = Settings['stuck'];
export type DialogSetting = DeepReadonly<z.output<typeof Dialog>>;
export type ModelSettings = Settings['model'];
export type PermissionSettings = Settings['permissions'];
