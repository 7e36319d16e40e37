import { timeOfDay, whyTerminalWaits } from '@devs/core';
import { cell, clip } from '../screen/clip.js';
import { widthOf } from '../screen/columns.js';
import { PRESSURE_COLUMNS, pressureBar } from '../screen/pressure-bar.js';
import type { Screen } from '../screen/screen.js';
import { visible } from '../screen/visible.js';
import type { TerminalListing } from '../terminal/listing/terminal-listing.js';
import { type Calendar, describeSpan } from '../time/describe-time.js';
import { signsOf } from './seen-terminals.js';

const GAP = '  ';
const STATE_COLUMNS = 'escalated'.length;
const MAX_NAME_COLUMNS = 24;
const MIN_FOLDER_COLUMNS = 12;

/** The user's terminals as aligned rows, those that need them first. Text from agents is shown and not obeyed. */
export function renderTerminals(terminals: readonly TerminalListing[], screen: Screen, calendar: Calendar): string[] {
  const { palette } = screen;
  const heading = palette.title('Terminals');
  if (terminals.length === 0)
    return [heading, palette.quiet('  No agent is running. Start one with devs claude or devs codex.')];
  const nameColumns = Math.min(MAX_NAME_COLUMNS, Math.max(...terminals.map(({ name }) => widthOf(visible(name)))));
  const agentColumns = Math.max(...terminals.map(({ agent }) => widthOf(visible(agent))));
  return [
    heading,
    ...terminals.flatMap((terminal) =>
      renderRow(terminal, { screen, calendar, nameColumns, agentColumns }).map((line) => `  ${line}`.trimEnd()),
    ),
  ];
}

interface Layout {
  readonly screen: Screen;
  readonly calendar: Calendar;
  readonly nameColumns: number;
  readonly agentColumns: number;
}

function renderRow(terminal: TerminalListing, { screen, calendar, nameColumns, agentColumns }: Layout): string[] {
  const { palette } = screen;
  const columns = screen.columns - 2;
  const word = stateWord(terminal);
  const paint = terminal.needs === undefined ? (word === 'busy' ? palette.good : palette.quiet) : palette.bad;
  const since = terminal.since === undefined ? '' : describeSpan(calendar.now - terminal.since);
  const before = [
    paint(cell(word, STATE_COLUMNS)),
    visible(terminal.name).padEnd(nameColumns), // never clipped: one must be able to copy it
    palette.quiet(cell(terminal.agent, agentColumns)),
    pressureBar(terminal, palette),
  ];
  const used = STATE_COLUMNS + Math.max(nameColumns, widthOf(visible(terminal.name))) + agentColumns + PRESSURE_COLUMNS;
  const room = columns - used - GAP.length * 4 - widthOf(since) - GAP.length;
  const folder = room < MIN_FOLDER_COLUMNS ? [] : [palette.quiet(cell(terminal.folder, room))];
  const row = [...before, ...folder, palette.quiet(since)].join(GAP);
  const margin = STATE_COLUMNS + GAP.length;
  const why = describeNeed(terminal, calendar);
  return why === '' ? [row] : [row, `${' '.repeat(margin)}${palette.bad(clip(`↳ ${why}`, columns - margin))}`];
}

function stateWord({ needs, activity, isRenewing }: TerminalListing): string {
  if (needs !== undefined) return needs.kind;
  if (isRenewing) return 'renewing';
  return activity;
}

function describeNeed(terminal: TerminalListing, { now }: Calendar): string {
  const { needs, name } = terminal;
  if (needs === undefined) return '';
  if (needs.kind === 'crashed') return needs.detail;
  const why = whyTerminalWaits(signsOf(terminal), (at) => timeOfDay(at, now)) ?? needs.detail;
  return needs.kind === 'parked' ? why : `${why} · devs attach ${name}`;
}
