import {
  holderOfRun,
  type ReportSection,
  type ReportWords,
  readHistory,
  readRuns,
  renderReportMarkdown,
  reportRun,
  reportSections,
} from '@devs/core';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { jsonOption, storeOption, wholeNumber } from '../program/options.js';
import { cell, clip } from '../screen/clip.js';
import { widthOf } from '../screen/columns.js';
import { outputMode } from '../screen/output-mode.js';
import type { Screen } from '../screen/screen.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { wrapWords } from '../screen/wrap.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { absoluteTime, describeSpan } from '../time/describe-time.js';
import { grouped } from '../words.js';
import { findRun } from './find-run.js';
import type { RunServices } from './run-services.js';

const GAP = '  ';
const INDENT = '  ';
const LABEL_COLUMNS = 16;
const MAX_CELL_COLUMNS = 40;
/** Of a line that is too long for the screen. */
const MAX_LINES = 4;
/** Of a text of several lines: an agent's screen has room in it. */
const MAX_ROWS = 30;
const MAX_INDENT = 8;

/** A report for a terminal. What agents wrote is shown and not obeyed, and cut where it is long. */
function renderReport(sections: readonly ReportSection[], screen: Screen): string[] {
  return sections.flatMap((section, index) => [...(index === 0 ? [] : ['']), ...renderSection(section, screen)]);
}

function renderSection(
  { title, facts = [], table, lines = [], commands = [] }: ReportSection,
  screen: Screen,
): string[] {
  const { palette, columns } = screen;
  return [
    palette.title(clip(title, columns)),
    ...facts.flatMap(([label, value]) => renderFact(label, value, screen)),
    ...(table === undefined ? [] : renderTable(table, screen)),
    ...lines.flatMap((line) => wrapped(line, columns - INDENT.length).map((part) => `${INDENT}${part}`)),
    ...commands.map((command) => `${INDENT}${palette.devs(visible(command))}`),
  ];
}

function renderFact(label: string, value: string, { palette, columns }: Screen): string[] {
  return wrapped(value, columns - LABEL_COLUMNS).map(
    (line, index) => `${palette.quiet(`${INDENT}${index === 0 ? label : ''}`.padEnd(LABEL_COLUMNS))}${line}`,
  );
}

/** Lines stay lines, with their indent. */
function wrapped(text: string, columns: number): string[] {
  const all = text.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0].slice(0, MAX_INDENT) ?? '';
    const room = columns - indent.length;
    const parts = wrapWords(clip(line.trimStart(), room * MAX_LINES), room);
    return parts.slice(0, MAX_LINES).map((part) => `${indent}${part}`.trimEnd());
  });
  return all.length <= MAX_ROWS ? all : [...all.slice(0, MAX_ROWS - 1), '…'];
}

/** The last column gets what is left. */
function renderTable({ head, rows }: NonNullable<ReportSection['table']>, { palette, columns }: Screen): string[] {
  const widths = head.map((name, column) =>
    Math.min(MAX_CELL_COLUMNS, Math.max(widthOf(name), ...rows.map((row) => widthOf(visible(row[column] ?? ''))))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, INDENT.length);
  const lastColumns = Math.max(8, columns - before);
  const line = (cells: readonly string[]) =>
    cells
      .map((text, column) =>
        column === cells.length - 1 ? clip(text, lastColumns) : cell(text, widths[column] ?? MAX_CELL_COLUMNS),
      )
      .join(GAP)
      .trimEnd();
  return [palette.quiet(`${INDENT}${line(head)}`), ...rows.map((row) => `${INDENT}${line(row)}`)];
}

const MORE_HELP = `
What was asked and what came of it: steps, tasks, tokens, renewals with their
handoffs and what was lost, re-injections, interruptions, commits, checks, and
how to merge. Without RUN: the newest.

Examples:
  devs report
  devs report 3f9c --markdown > report.md
  devs report --handoff 1`;

interface ReportOptions extends StoreOptions {
  readonly json?: boolean;
  readonly markdown?: boolean;
  readonly handoff?: number;
}

export function reportCommand(services: RunServices, done: (exitCode: number) => void): Command {
  return new Command('report')
    .description('Say what happened in a run')
    .argument('[run]', 'its id, or the beginning of it')
    .option('--markdown', 'as a Markdown document')
    .option('--handoff <number>', 'only the document of this renewal', wholeNumber({ from: 1 }))
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (wanted: string | undefined, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ReportOptions>();
      const history = await withExistingStore(
        services,
        options,
        async (opened) => {
          const { id } = findRun(await readRuns(opened), wanted);
          const holder = await holderOfRun(opened.store.leases, id);
          return {
            ...(await readHistory(opened.store.log, id)),
            place: await services.runs.placeOf(id),
            ...(holder === undefined ? {} : { lookedAfterBy: holder.by }),
          };
        },
        () => {
          throw new CliError('there is no run yet. Begin one with `devs run "What to do"`.');
        },
      );
      const report = reportRun(history);
      if (options.handoff !== undefined) {
        const { document } = report.renewals[options.handoff - 1] ?? {};
        const events = document && history.terminals.get(document.stream.slice('terminal:'.length));
        const text = events?.find(({ position }) => position === document?.position)?.data.document;
        if (typeof text !== 'string') throw new CliError(`there is no handoff ${options.handoff} in this run.`);
        services.print(outputMode(options) === 'json' ? toJson({ run: report.id, handoff: text }) : harmless(text));
        return done(0);
      }
      services.print(render());
      done(0);

      function render(): string {
        if (outputMode(options) === 'json') return toJson(report);
        const sections = reportSections(report, reportWords(services));
        if (options.markdown) return renderReportMarkdown(sections).trimEnd();
        return renderReport(sections, services.screen).join('\n');
      }
    });
}

/** Lines stay lines; what a terminal would obey does not. */
const harmless = (text: string): string => text.replace(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');

const reportWords = ({ timeZone }: Pick<RunServices, 'timeZone'>): ReportWords => ({
  time: (at) => absoluteTime(at, { timeZone }),
  span: describeSpan,
  number: grouped,
});
