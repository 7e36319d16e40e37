import type { SettingKey, SettingMapping, SettingValue } from './setting-value.js';
import type { Settings } from './settings.js';

const MOST_TOKENS = 1_000_000_000_000;
const MOST_MINUTES = 525_600;

const key = (description: string, value: SettingValue): SettingKey => ({ description, value });
const flag = (description: string) => key(description, { kind: 'flag' });
const text = (description: string) => key(description, { kind: 'text' });
const texts = (description: string) => key(description, { kind: 'texts' });
const count = (description: string, least: number, most: number) => key(description, { kind: 'count', least, most });
const amount = (description: string, most: number) => key(description, { kind: 'amount', most });
const choice = (description: string, ...values: readonly string[]) => key(description, { kind: 'choice', values });
const commands = (description: string) => key(description, { kind: 'commands' });
const mapping = (keys: Readonly<Record<string, SettingKey>>, required: readonly string[] = []): SettingMapping => ({
  kind: 'mapping',
  keys,
  required,
});
const group = (description: string, keys: Readonly<Record<string, SettingKey>>) => key(description, mapping(keys));

const budget = (whose: string) => ({
  tokens: count(`Input and output tokens ${whose}.`, 1, MOST_TOKENS),
  usd: amount(`US dollars ${whose}, by budget.price.`, 1_000_000),
  minutes: amount(`Minutes ${whose}.`, MOST_MINUTES),
});

const price = (whose: string) => amount(whose, 1_000_000);

const mark = (what: string) =>
  group(what, {
    share: amount('Of the context window: more than 0, at most 1.', 1),
    tokens: count('At most so many tokens, however large the window is.', 1, MOST_TOKENS),
  });

const AGENT: SettingMapping = {
  kind: 'mapping',
  keys: {
    acp: key(
      'The program and its arguments, for an agent that speaks the Agent Client Protocol. Nothing else is needed.',
      {
        kind: 'command',
      },
    ),
    command: key('The program and its arguments.', { kind: 'command' }),
    prompt: key('How its prompt looks on the screen up to where a draft begins, such as "^> ".', { kind: 'pattern' }),
    promptEnd: key('What ends the line of the prompt.', { kind: 'pattern' }),
    placeholder: key('What it writes into an empty prompt.', { kind: 'pattern' }),
    busy: key('A line that it shows while it works.', { kind: 'pattern' }),
    waiting: key('A line that it shows while it waits for an answer.', { kind: 'pattern' }),
    idle: key('A line that it shows when it is ready. Without it: its prompt, and neither of the two.', {
      kind: 'pattern',
    }),
    exit: text('What is typed to end it.'),
    compact: text('What is typed to shorten its conversation.'),
    clear: text('What is typed to begin a conversation without history.'),
    resume: texts('Arguments that open a conversation again; {id} stands for it.'),
    conversation: texts('Arguments that name a new conversation, in the same way.'),
    promptArgument: flag('Whether it takes a first prompt as its last argument.'),
    version: texts('Arguments that print its version.'),
  },
  required: ['command', 'prompt'],
  unless: 'acp',
};

const DIALOG = mapping(
  {
    question: key('A regular expression, tried on each line of the screen.', { kind: 'pattern' }),
    keys: text('What is typed.'),
  },
  ['question', 'keys'],
);

/** Every key of `.devs/config.yaml`, in the order in which they are shown. The compiler compares them with the type. */
const KEYS: { readonly [K in keyof Required<Settings>]: SettingKey } = {
  agent: text('Who works: auto, claude, codex, opencode, builtin, or a name under agents.'),
  workflow: text('The workflow that is run where none is named.'),
  worktree: choice('Where a run works: in a git worktree of its own, or here.', 'own', 'here'),
  copy: texts('Ignored files that a worktree of its own gets.'),
  setup: commands('Commands that prepare a new worktree, as lists.'),
  checks: commands('Commands, as lists, whose success shows that the work is good.'),
  sandbox: choice(
    'Whether setup, checks and the built-in agent’s commands run in a sandbox: auto (where there is one), required or off.',
    'auto',
    'required',
    'off',
  ),
  sandboxed: group('What commands in the sandbox reach besides the worktree and caches.', {
    network: flag('Whether they reach the network.'),
    read: texts('Paths that they see though devs hides them, such as "~/.npmrc".'),
    write: texts('Paths that they may change.'),
    pass: texts('Variables that they get though devs keeps them back, such as NPM_TOKEN.'),
  }),
  parallel: count('How many tasks of the queue at a time.', 1, 64),
  budget: group('What may be spent at most; nothing said means no limit.', {
    ...budget('for one run'),
    day: group('The same for a day, all runs together.', budget('for one day')),
    price: group('What your model costs, in US dollars for a million tokens; usd is counted by it.', {
      input: price('Input.'),
      output: price('Output.'),
      cached: price('Input from the cache; without it as other input.'),
    }),
  }),
  pressure: group('How full a conversation may be.', {
    soft: mark('Here an agent is renewed when a task or step ends.'),
    firm: mark('Here it is renewed at the next idle moment.'),
  }),
  renewal: group('Replacing a full agent by a fresh one that starts from a handoff.', {
    enabled: flag('Whether it is done.'),
    autoHandoff: flag('Whether an agent that exits with work left is started again from its handoff.'),
    most: count(
      'Consecutive renewals without a finished step or task, before the agent compacts on its own. Renewals that you ask for are not counted.',
      0,
      1_000,
    ),
    ownWords: choice('Whether an agent is asked for a handoff in its own words.', 'when-needed', 'always', 'never'),
    checkpoints: choice('Where the state of the files is kept.', 'private', 'branch', 'branch-and-push', 'none'),
  }),
  reinjection: group('Reminding an agent of the specs.', {
    enabled: flag('Whether it is done.'),
    builtinTurns: count('Every so many turns in one step, for the built-in agent.', 1, 1_000),
    turns: count('Every so many turns, for the others.', 1, 10_000),
    tas: text('The technical specification, as a path from the folder of the project.'),
    prd: text('The product specification, in the same way.'),
  }),
  contextActions: group('The compact and clear that a step of a workflow asks for.', {
    enabled: flag('Whether they are done.'),
    deadlineSeconds: count('How long an agent may take for one.', 1, 86_400),
  }),
  stuck: group('Noticing an agent that gets nowhere.', {
    enabled: flag('Whether it is noticed.'),
    minutes: amount('After so many minutes without progress.', MOST_MINUTES),
    sameAction: count('After the same failing action so many times.', 2, 1_000),
    sameError: count('After the same error so many times.', 2, 1_000),
  }),
  resume: group('Going on with an agent that crashed.', {
    enabled: flag('Whether it is done.'),
    most: count('How often in a row.', 0, 1_000),
  }),
  limits: group('What is done at the usage limit of the provider.', {
    park: flag('Whether the run waits until the limit is over.'),
    most: count('How often in a row.', 0, 1_000),
  }),
  ledger: group('What is known of a conversation, given back after the agent compacted it by itself.', {
    enabled: flag('Whether it is done.'),
  }),
  notices: group('How you are told that something needs you.', {
    bell: flag('Whether the terminal rings.'),
    command: key('A program and its arguments; what happened is added as the last one.', { kind: 'command' }),
  }),
  dialogs: key('Questions of agents that are answered while nobody is there.', {
    kind: 'list',
    called: 'Dialog',
    of: DIALOG,
  }),
  fleet: group('Several machines that share a store in Redis.', {
    remote: text('The git remote that the work of runs travels through, in refs/devs/.'),
    labels: texts('What this machine has, such as gpu: tasks that need something else are left to others.'),
  }),
  observe: flag('Measure, and touch nothing.'),
  model: group('The model of the built-in agent. Its key comes from the environment.', {
    provider: choice(
      'Whose API. Without it: by the key that is in the environment.',
      'anthropic',
      'openai',
      'scripted',
    ),
    name: text('The model.'),
    baseUrl: text('Another server with the same API, also on this machine.'),
    window: count('Its context window in tokens.', 1_000, 100_000_000),
    scenario: text('A file with the answers of the scripted model.'),
  }),
  permissions: group(
    'What the built-in agent, Claude Code by stream-json, and agents that are reached by ACP may do.',
    {
      mode: choice(
        'For what no rule decides: ask, allow (the built-in agent only; others ask) or deny.',
        'ask',
        'allow',
        'deny',
      ),
      allow: texts('Tools, beginnings of commands such as "npm test", or paths such as ~/notes; * is everything.'),
      ask: texts('The same, to be asked about although allow names them.'),
      deny: texts('The same, to be refused in any case.'),
    },
  ),
  transport: choice(
    'How Claude Code and Codex are driven in runs: stream (over a channel), terminal (by typing), or auto (a channel, except for Claude Code with a subscription).',
    'auto',
    'stream',
    'terminal',
  ),
  agents: key('Agents of your own, by their names.', { kind: 'named', called: 'Agent', of: AGENT }),
};

export const SETTINGS: SettingMapping = { kind: 'mapping', keys: KEYS };
