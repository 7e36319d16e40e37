import type { ReportWords } from '@devs/core';
import { holderOfRun, readHistory, readRuns, renderReportMarkdown, reportRun, reportSections } from '@devs/core';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { jsonOption, storeOption, wholeNumber } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { absoluteTime, describeSpan } from '../time/describe-time.js';
import { grouped } from '../words.js';
import { findRun } from './find-run.js';
import { renderReport } from './render-report.js';

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

export function reportCommand(services: Services, done: (exitCode: number) => void): Command {
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

const reportWords = ({ timeZone }: Pick<Services, 'timeZone'>): ReportWords => ({
  time: (at) => absoluteTime(at, { timeZone }),
  span: describeSpan,
  number: grouped,
});
