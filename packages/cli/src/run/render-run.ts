import { describePosition } from '@devs/core';
import type { RunStatus, TerminalStatus } from '@devs/supervisor';
import { cell, clip } from '../screen/clip.js';
import { pressureBar } from '../screen/pressure-bar.js';
import type { Screen } from '../screen/screen.js';
import { absoluteTime, type Calendar, describeSpan } from '../time/describe-time.js';
import { count, grouped } from '../words.js';

const INDENT = '  ';
const LABEL = 8;
const STATE_COLUMNS = 9;
const NAME_COLUMNS = 14;
const MAX_LAST = 8;

/** One run as its live view shows it, line by line within the columns. Pure. */
export function renderRun(status: RunStatus, screen: Screen, calendar: Calendar): string[] {
  const { palette, columns } = screen;
  const paint = status.state === 'escalated' ? palette.bad : status.state === 'running' ? palette.good : palette.devs;
  const room = columns - LABEL - INDENT.length;
  const line = (label: string, text: string) =>
    `${palette.quiet(`${INDENT}${label}`.padEnd(LABEL + INDENT.length))}${text}`;
  return [
    `${palette.title(clip(`Run ${status.id}`, columns))}  ${paint(STATES[status.state])}  ${palette.quiet(clip(`${status.workflow} · ${status.agent}`, Math.max(0, columns - 40)))}`,
    line('asked', clip(status.request, room)),
    line('step', clip(describePosition(status.position), room)),
    ...(status.position.task === undefined ? [] : [line('task', clip(status.position.task.title, room))]),
    ...(status.end === undefined ? status.terminals : []).map((terminal) =>
      line('agent', renderAgent(terminal, screen, calendar)),
    ),
    line('model', palette.quiet(clip(totalsOf(status), room))),
    ...renderNeed(status, screen),
  ];
}

/** The last events of all runs, the newest at the bottom. */
export function renderLast(
  runs: readonly Pick<RunStatus, 'id' | 'last'>[],
  { palette, columns }: Screen,
  calendar: Calendar,
  most = MAX_LAST,
): string[] {
  const all = runs
    .flatMap(({ id, last }) => last.map((event) => ({ ...event, id })))
    .sort((a, b) => a.at - b.at)
    .slice(-most);
  const isOne = runs.length === 1;
  return all.map(({ at, text, id }) => {
    const time = absoluteTime(at, calendar).slice('yyyy-mm-dd '.length);
    const whose = isOne ? '' : `${id}  `;
    return `${palette.quiet(time)}  ${clip(`${whose}${text}`, columns - time.length - 2)}`;
  });
}

const STATES: Record<RunStatus['state'], string> = {
  running: 'running',
  escalated: 'needs you',
  stopping: 'stopping',
  paused: 'paused',
  finished: 'finished',
};

function renderAgent(terminal: TerminalStatus, screen: Screen, calendar: Calendar): string {
  const { palette, columns } = screen;
  const { name, state, pressure, mark, contextRefreshState, contextRefreshCount, parkedUntil } = terminal;
  const word =
    contextRefreshState !== null ? 'renewing' : parkedUntil !== undefined ? 'parked' : (state?.activity ?? 'starting');
  const since = state === undefined ? '' : describeSpan(calendar.now - state.since);
  const paint = word === 'busy' ? palette.good : word === 'waiting' || word === 'exited' ? palette.bad : palette.devs;
  const renewed = contextRefreshCount === 0 ? '' : `renewed ${contextRefreshCount}×`;
  const until =
    parkedUntil === undefined ? '' : `until ${absoluteTime(parkedUntil, calendar).slice('yyyy-mm-dd '.length)}`;
  const detail = [since, renewed, until].filter((part) => part !== '').join(' · ');
  const used = LABEL + INDENT.length + NAME_COLUMNS + STATE_COLUMNS + 'xxxxxxxx 100 %'.length + INDENT.length * 3;
  return [
    cell(name, NAME_COLUMNS),
    paint(cell(word, STATE_COLUMNS)),
    pressureBar({ ...(terminal.usage === undefined ? {} : { pressure }), mark }, palette),
    palette.quiet(clip(detail, Math.max(0, columns - used))),
  ].join(INDENT);
}

function totalsOf({ totals }: RunStatus): string {
  const { turns, inputTokens, outputTokens, costUsd } = totals;
  const cost = costUsd === undefined ? [] : [`${costUsd.toFixed(2)} US dollars`];
  return [count(turns, 'turn'), `${grouped(inputTokens)} tokens in`, `${grouped(outputTokens)} out`, ...cost].join(
    ' · ',
  );
}

function renderNeed({ escalation, terminals, id }: RunStatus, { palette, columns }: Screen): string[] {
  if (escalation !== undefined && escalation.answer === undefined)
    return [
      palette.bad(clip(`${INDENT}needs you: ${escalation.question}`, columns)),
      ...(escalation.unseen === undefined
        ? []
        : [palette.bad(clip(`${INDENT}your answer did not reach the agent: ${escalation.unseen.why}`, columns))]),
      palette.bad(clip(`${INDENT}devs answer ${escalation.id} "…"`, columns)),
    ];
  const waiting = terminals.find(({ needs }) => needs?.kind === 'answer');
  return waiting === undefined
    ? []
    : [
        palette.bad(
          clip(`${INDENT}the agent asks: ${waiting.needs?.detail ?? ''} · devs attach ${waiting.name || id}`, columns),
        ),
      ];
}
