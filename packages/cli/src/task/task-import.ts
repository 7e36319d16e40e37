import { createTaskQueue, type NewTask, type StoreBackend, StoreInputError, type TaskQueue } from '@devs/core';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withStore } from '../store-access/with-store.js';
import { count, grouped } from '../words.js';
import {
  type Draft,
  type ImportProblem,
  type ParsedFile,
  parseJsonArray,
  parseJsonLines,
} from './import/parse-json-tasks.js';
import { type PlannedTask, planImport } from './import/plan-import.js';
import { saidBase } from './said-base.js';
import type { TaskServices } from './task-services.js';

const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.*)$/;
const CODE_FENCE = /^\s*(?:```|~~~)/;

/** The open items of a Markdown check list, `- [ ] a task`. Everything else in the file is left alone. */
function parseChecklist(text: string): ParsedFile {
  const drafts: Draft[] = [];
  let checkedOff = 0;
  let isCode = false;
  for (const [index, line] of text.split(/\r\n|\n|\r/).entries()) {
    if (CODE_FENCE.test(line)) isCode = !isCode;
    const item = isCode ? null : ITEM.exec(line);
    if (item === null) continue;
    if (item[1] !== ' ') checkedOff++;
    else drafts.push({ line: index + 1, task: { intent: (item[2] ?? '').trim() } });
  }
  return { drafts, problems: [], checkedOff };
}

/** The tasks in a file: a JSON array, an object on each line, or a Markdown check list, told by how the text begins. */
export function parseTaskFile(given: string): ParsedFile {
  const text = given.replace(/^\ufeff/, '');
  switch (text.trimStart()[0]) {
    case '[':
      return parseJsonArray(text);
    case '{':
      return parseJsonLines(text);
    default:
      return parseChecklist(text);
  }
}

/** Knows no task and keeps none: what is asked of it when tasks are added, and nothing more. */
const keepsNothing = {
  loadTasks: async () => [],
  version: async () => 0,
  commit: async () => ({ committed: true, position: 0 }),
} satisfies Partial<StoreBackend> as Partial<StoreBackend> as StoreBackend;

const rehearsal = createTaskQueue({ backend: keepsNothing, clock: { now: () => 0 }, newId: () => 'rehearsal' });

/** The store's objection to a task by itself, without its dependencies; `undefined` if there is none. */
export async function objection({ depends_on: _others, ...task }: NewTask): Promise<string | undefined> {
  try {
    await rehearsal.add([task]);
    return undefined;
  } catch (error) {
    if (error instanceof StoreInputError) return error.message;
    throw error;
  }
}

const AT_ONCE = 200;

/** The ids known to the store. Invalid ids are unknown. */
async function knownIds(tasks: Pick<TaskQueue, 'get'>, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map((id) => tasks.get(id).catch(unlessImpossible)));
    for (const task of found) if (task !== undefined) known.add(task.id);
  }
  return known;
}

function unlessImpossible(error: unknown): undefined {
  if (!(error instanceof StoreInputError)) throw error;
}

const INTERRUPTED = 130;
const MAX_PROBLEMS = 20;

const MORE_HELP = `
The file is one of
  a JSON array      [{"id": "a", "intent": "…", "depends_on": ["b"]}, …]
  JSON lines        {"intent": "…", "description": "…", "priority": 5}
  a check list      - [ ] what is to be done
Everything is checked first, and nothing is stored while a line is wrong. More
than 1,000 tasks are stored in several steps, each whole or not at all.

Examples:
  devs task import plan.md
  gh issue list --json title --jq '.[] | {intent: .title}' | devs task import -`;

interface ImportOptions extends StoreOptions {
  readonly skipExisting?: boolean;
  readonly json?: boolean;
}

export function taskImportCommand(services: TaskServices, done: (exitCode: number) => void): Command {
  return new Command('import')
    .description('Add tasks from a file')
    .argument('<file>', 'the file; `-` for stdin')
    .option('--skip-existing', 'skip existing tasks instead of rejecting the file')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (file: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>();
      const { drafts, problems, checkedOff } = parseTaskFile(await services.readText(file === '-' ? undefined : file));
      if (problems.length > 0) throw refused(problems);
      if (drafts.length === 0 && checkedOff === 0) throw new CliError(`${fileName(file)} holds no task. ${FORMS}`);
      const base = await saidBase(services, options);
      const { outcome, planned, skipped } = await withStore(services, options, async ({ store }) => {
        const plan = await planImport(drafts, {
          known: (ids) => knownIds(store.tasks, ids),
          objection,
          existing: options.skipExisting ? 'skip' : 'refuse',
        });
        if (!plan.ok) throw refused(plan.problems);
        const outcome = await services.untilInterrupted((signal) =>
          runImport(plan.batches, { tasks: store.tasks, signal, ...(base === undefined ? {} : { base }) }),
        );
        return { outcome, planned: plan.batches.flat().length, skipped: plan.skipped.length };
      });
      const { ids, stopped } = outcome;
      if (outputMode(options) === 'json') services.print(toJson({ ids, planned, skipped, checked_off: checkedOff }));
      else services.print(describeImport(outcome, { skipped, checkedOff }));
      if (stopped !== undefined) services.warn(`devs: ${describeStop(stopped, ids.length, planned)}`);
      done(stopped === undefined ? 0 : stopped === 'interrupted' ? INTERRUPTED : 1);
    });
}

const FORMS = 'It may hold a JSON array, JSON lines or a check list; see `devs task import --help`.';

const fileName = (file: string) => (file === '-' ? 'stdin' : `"${visible(file)}"`);

function refused(problems: readonly ImportProblem[]): CliError {
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ line, problem }) => `  line ${line}: ${visible(problem)}`);
  const left = problems.length - lines.length;
  const more = left > 0 ? [`  and ${count(left, 'more line')}`] : [];
  return new CliError(['nothing was added. Correct the file:', ...lines, ...more].join('\n'));
}

function describeImport(
  { ids }: ImportOutcome,
  left: { readonly skipped: number; readonly checkedOff: number },
): string {
  const out = [
    ...(left.skipped > 0 ? [`${grouped(left.skipped)} there already`] : []),
    ...(left.checkedOff > 0 ? [`${grouped(left.checkedOff)} checked off`] : []),
  ];
  return `${count(ids.length, 'task')} added${out.length > 0 ? `; left out: ${out.join(', ')}` : ''}.`;
}

const describeStop = (stopped: 'interrupted' | Error, stored: number, planned: number) =>
  [
    `${grouped(stored)} of ${grouped(planned)} tasks were stored`,
    stopped === 'interrupted' ? ', then it was interrupted' : `, then: ${visible(stopped.message)}`,
    '. Import the file again with --skip-existing to add the rest.',
  ].join('');

interface ImportOutcome {
  readonly ids: readonly string[];
  /** Why it ended before its end. */
  readonly stopped?: 'interrupted' | Error;
}

interface ImportDeps {
  readonly tasks: Pick<TaskQueue, 'add'>;
  readonly signal: AbortSignal;
  /** The commit that they begin at, on a store that several machines share. */
  readonly base?: string;
}

/** Stores batch after batch, each whole or not at all; stops between two of them when the signal says so. */
export async function runImport(
  batches: readonly (readonly PlannedTask[])[],
  { tasks, signal, base }: ImportDeps,
): Promise<ImportOutcome> {
  const ids: string[] = [];
  for (const batch of batches) {
    if (signal.aborted) return { ids, stopped: 'interrupted' };
    try {
      await tasks.add(batch.map(({ task }) => (base === undefined ? task : { ...task, base })));
    } catch (error) {
      if (ids.length === 0 && !(error instanceof StoreInputError)) throw error;
      return { ids, stopped: error as Error };
    }
    ids.push(...batch.map(({ task }) => task.id));
  }
  return { ids };
}
