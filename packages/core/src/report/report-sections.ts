import type { ReportEscalation, RunReport } from './run-report.js';

/** One part of a report, for any format. Texts may come from agents: the renderer must escape them. */
export interface ReportSection {
  readonly title: string;
  readonly facts?: readonly (readonly [label: string, value: string])[];
  readonly table?: { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly lines?: readonly string[];
  /** Lines to copy and run. */
  readonly commands?: readonly string[];
}

/** How the reader writes times and numbers. */
export interface ReportWords {
  time(at: number): string;
  span(ms: number): string;
  number(value: number): string;
}

/** Everything that a report says, in the order in which one wants to know it; what did not happen is left out. */
export function reportSections(report: RunReport, words: ReportWords): readonly ReportSection[] {
  return [
    summary(report, words),
    ...steps(report, words),
    ...tasks(report),
    usage(report, words),
    ...renewals(report, words),
    ...part('Context actions', actionRows(report, words), ['at', 'action', 'outcome', 'detail']),
    ...lines('Interruptions', interruptions(report, words)),
    ...lines('Escalations', escalations(report, words)),
    ...part(
      'Commits',
      report.commits.map(({ hash, subject }) => [hash.slice(0, 10), subject]),
      ['commit', 'subject'],
    ),
    ...part(
      'Not on the branch',
      report.left.map(({ what, why }) => [what, why]),
      ['what', 'why'],
    ),
    ...part(
      'Checks',
      report.checks.map(({ command, exitCode, tail }) => [
        command.join(' '),
        exitCode === 0 ? 'passed' : `exit code ${exitCode}`,
        exitCode === 0 ? '' : (tail.trim().split('\n').at(-1) ?? ''),
      ]),
      ['check', 'outcome', 'last line'],
    ),
    ...next(report),
  ];
}

function summary(report: RunReport, { time, span }: ReportWords): ReportSection {
  const { startedAt, endedAt, outcome, worktree, position, usage: used } = report;
  const took = startedAt === undefined || endedAt === undefined ? [] : [` (${span(endedAt - startedAt)})`];
  return {
    title: `Run ${report.id}: ${OUTCOMES[outcome.kind]}`,
    facts: [
      ['request', report.request],
      ...fact('detail', outcome.detail),
      ['workflow', report.workflow],
      ['agent', report.agent],
      ...fact('task', report.taskId),
      ...fact('at step', position),
      ...fact('started', startedAt === undefined ? undefined : time(startedAt)),
      ...fact('ended', endedAt === undefined ? undefined : `${time(endedAt)}${took.join('')}`),
      ...fact('supervised', used.activeMs > 0 ? span(used.activeMs) : undefined),
      ...fact(startedAt !== undefined && endedAt === undefined ? 'works in' : 'worked in', workedIn(report)),
      ...fact('branch', worktree?.branch),
    ],
  };
}

const workedIn = ({ worktree, folder }: RunReport): string =>
  worktree?.path ?? (worktree?.branch === undefined ? folder : 'its worktree, since removed');

const OUTCOMES: Record<RunReport['outcome']['kind'], string> = {
  done: 'done',
  failed: 'failed',
  'given-up': 'given up',
  running: 'under way',
  open: 'interrupted',
  paused: 'paused',
  escalated: 'needs you',
};

/** A column for what they cost, where that is known of one. */
function steps({ steps: all }: RunReport, { span }: ReportWords): readonly ReportSection[] {
  const money = moneyOf(all);
  const rows = all.map((step) => [step.at, span(step.workMs), ...money.cells(step), step.status, step.said]);
  return part('Steps', rows, ['step', 'took', ...money.title, 'outcome', 'said']);
}

function tasks({ tasks: all }: RunReport): readonly ReportSection[] {
  const money = moneyOf(all);
  const rows = all.map((task) => [task.id, task.status, ...money.cells(task), task.title]);
  return part('Tasks', rows, ['task', 'status', ...money.title, 'title']);
}

interface Priced {
  readonly costUsd?: number;
}

function moneyOf(all: readonly Priced[]) {
  const isKnown = all.some(({ costUsd }) => costUsd !== undefined);
  const amount = (costUsd: number | undefined) => (costUsd === undefined ? '' : costUsd.toFixed(2));
  return {
    title: isKnown ? ['USD'] : [],
    cells: ({ costUsd }: Priced): readonly string[] => (isKnown ? [amount(costUsd)] : []),
  };
}

const actionRows = ({ contextActions }: RunReport, { time }: ReportWords) =>
  contextActions.map(({ at, action, outcome, detail }) => [time(at), action, outcome, detail]);

function usage({ usage: used, reinjections, ledgers, answers }: RunReport, { number }: ReportWords): ReportSection {
  const share = reinjections.share === undefined ? '' : `, ${percent(reinjections.share)} of the input`;
  return {
    title: 'Model',
    facts: [
      ['turns', number(used.turns)],
      ['input', `${number(used.inputTokens)} tokens, ${number(used.cachedTokens)} of them cached`],
      ['output', `${number(used.outputTokens)} tokens`],
      ['cost', used.costUsd === undefined ? 'not known' : `${used.costUsd.toFixed(2)} US dollars`],
      ['re-injected', `${times(reinjections.count, number)}, ${number(reinjections.tokens)} tokens${share}`],
      ['ledger given', `${times(ledgers.count, number)}, ${number(ledgers.tokens)} tokens`],
      ['resumed', `${number(answers.resumed)} cut-off ${answers.resumed === 1 ? 'answer' : 'answers'}`],
      ['corrected', `${number(answers.corrected)} malformed ${answers.corrected === 1 ? 'answer' : 'answers'}`],
    ],
  };
}

function renewals({ id, renewals: all }: RunReport, { time, number }: ReportWords): readonly ReportSection[] {
  if (all.length === 0) return [];
  const rows = all.map(({ at, cause, outcome, detail, ownWords, document }, index) => [
    String(index + 1),
    time(at),
    cause,
    detail === undefined ? outcome : `${outcome}: ${detail}`,
    ownWords,
    document === undefined ? 'none' : number(document.characters),
  ]);
  const notes = all.flatMap(({ lost, alsoEnded, added, checkpoint, conversationBefore }, index) => [
    ...note(index, 'lost', lost),
    ...note(index, 'also stopped', alsoEnded),
    ...note(index, 'added by verification', added),
    ...note(index, 'checkpoint', checkpoint === undefined ? [] : [checkpoint.ref]),
    ...note(index, 'not in the checkpoint', checkpoint?.leftOut ?? []),
    ...note(index, 'conversation before', conversationBefore === undefined ? [] : [conversationBefore]),
  ]);
  const kept = all.findIndex(({ document }) => document !== undefined);
  return [
    {
      title: 'Renewals',
      table: { head: ['', 'at', 'cause', 'outcome', 'own words', 'characters'], rows },
      lines: notes,
      ...(kept === -1 ? {} : { commands: [`devs report ${id} --handoff ${kept + 1}`] }),
    },
  ];
}

const note = (index: number, what: string, items: readonly string[]): readonly string[] =>
  items.length === 0 ? [] : [`${index + 1}: ${what}: ${items.join('; ')}`];

function interruptions(report: RunReport, { time }: ReportWords): readonly string[] {
  const { crashes, parks, stuck, budgets, pauses, begun } = report;
  const all = [
    ...crashes.map(({ at, detail, resumed }) => ({
      at,
      text: `the agent crashed (${detail})${resumed ? ' and was resumed' : ''}`,
    })),
    ...parks.map(({ at, until, why }) => ({ at, text: `parked until ${time(until)}: ${why}` })),
    ...stuck.map(({ at, kind, detail }) => ({ at, text: `stuck (${kind}): ${detail}` })),
    ...budgets.map(({ at, budget, detail }) => ({ at, text: `budget ${budget} reached: ${detail}` })),
    ...pauses.map(({ at, why }) => ({ at, text: `paused: ${why}` })),
  ].sort((a, b) => a.at - b.at);
  const told = all.map(({ at, text }) => `${time(at)} ${text}`);
  return begun > 1 ? [...told, `started ${begun} times`] : told;
}

const escalations = ({ escalations: all }: RunReport, { time }: ReportWords): readonly string[] =>
  all.flatMap((asked) => [
    `${time(asked.at)} ${asked.question}`,
    ...(asked.diagnosis === '' ? [] : [`because: ${asked.diagnosis}`]),
    ...(asked.answer === undefined ? [] : [`you said: ${asked.answer}`]),
    ...whatBecameOf(asked),
  ]);

function whatBecameOf({ id, answer, fate, settled }: ReportEscalation): readonly string[] {
  if (fate?.kind === 'seen') return ['seen by the agent'];
  if (settled !== undefined) return [`settled: ${settled}`];
  if (fate !== undefined)
    return [
      `${fate.kind === 'typed' ? 'typed, but the agent did not take it up' : 'not sent'}: ${fate.why}: devs answer ${id} "…"`,
    ];
  return [answer === undefined ? `not answered yet: devs answer ${id} "…"` : 'stored; the agent has not seen it yet'];
}

function next(report: RunReport): readonly ReportSection[] {
  const { id, merged, howToMerge, worktree, outcome, escalations: asked, terminal } = report;
  const open = asked.findLast(({ settled }) => settled === undefined);
  switch (outcome.kind) {
    case 'running':
      return [
        {
          title: 'To watch or stop it',
          commands: [...(terminal === undefined ? [] : [`devs attach ${terminal}`]), `devs stop ${id}`],
        },
      ];
    case 'escalated':
      return [{ title: 'To continue', commands: [`devs answer ${open?.id ?? id} "…"`, `devs resume ${id}`] }];
    case 'paused':
    case 'open':
      return [{ title: 'To continue', commands: [`devs resume ${id}`] }];
    default:
      break;
  }
  if (merged !== undefined)
    return [{ title: 'Merged', lines: [`into ${merged.into}, as ${merged.commit.slice(0, 10)}`] }];
  if (howToMerge.length === 0) return [];
  const hasCommits = report.commits.length > 0;
  return [
    {
      title: hasCommits ? 'To merge' : 'To look at it',
      lines: hasCommits ? [`The work is on the branch ${worktree?.branch}.`] : ['Nothing was committed.'],
      commands: howToMerge.map((command) => command.map(quoted).join(' ')),
    },
  ];
}

const quoted = (part: string): string => (/^[\w@%+=:,./-]+$/.test(part) ? part : `'${part.replaceAll("'", `'\\''`)}'`);

const fact = (label: string, value: string | undefined): readonly (readonly [string, string])[] =>
  value === undefined || value === '' ? [] : [[label, value]];

const part = (
  title: string,
  rows: readonly (readonly string[])[],
  head: readonly string[],
): readonly ReportSection[] => (rows.length === 0 ? [] : [{ title, table: { head, rows } }]);

const lines = (title: string, all: readonly string[]): readonly ReportSection[] =>
  all.length === 0 ? [] : [{ title, lines: all }];

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

const times = (count: number, number: (value: number) => string): string =>
  count === 1 ? 'once' : `${number(count)} times`;
