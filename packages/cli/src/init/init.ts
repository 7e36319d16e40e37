import { relative } from 'node:path';
import { DEFAULT_SETTINGS, recordProject, renderConfigFile, type SettingValues } from '@devs/core';
import { Command } from 'commander';
import { CliError } from '../cli-error.js';
import { jsonOption } from '../program/options.js';
import { bestAgent, type InspectedAgent } from '../run/choose-agent.js';
import type { Runs } from '../run/create-runs.js';
import type { Console } from '../screen/console.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { wrapWords } from '../screen/wrap.js';
import type { StoreServices } from '../store-access/with-store.js';
import { withStore } from '../store-access/with-store.js';
import type { WorkflowFiles } from '../workflow/create-workflow-files.js';
import type { ProjectFolder, ProjectLook } from './create-project-folder.js';

export interface InitServices extends Console, StoreServices {
  readonly project: ProjectFolder;
  readonly runs: Runs;
  readonly workflowFiles: WorkflowFiles;
  /** The folder of the workflows that come with devs. */
  readonly shippedWorkflows: string;
}

const CONFIG = '.devs/config.yaml';
const LABEL_COLUMNS = 14;
const WORKFLOW = 'feature';
const WORKFLOW_FILE = `.devs/workflows/${WORKFLOW}.yaml`;

const MORE_HELP = `
Looks at the project and writes ${CONFIG}, with every setting
explained, and a workflow of your own to change. Stores what the project is
(README, package.json, specs) for prompts. Nothing is overwritten.

Examples:
  devs init
  devs init --dry-run

Exit codes: 0 done, 1 a file could not be written, 2 wrong usage.`;

interface InitOptions {
  readonly json?: boolean;
  readonly dryRun?: boolean;
}

export function initCommand(services: InitServices, done: (exitCode: number) => void): Command {
  return new Command('init')
    .description('Set up a project: look at it and write a configuration')
    .option('--dry-run', 'only say what would be written')
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (options: InitOptions) => {
      const look = await services.project.look();
      const agents = await services.runs.inspect(DEFAULT_SETTINGS);
      const agent = bestAgent(agents) ?? DEFAULT_SETTINGS.agent;
      const files = [
        { path: CONFIG, kind: 'settings', text: renderConfigFile(chosenFor(look, agent)) },
        { path: WORKFLOW_FILE, kind: 'workflow', text: await workflowText(services) },
      ] as const;
      const outcomes = [];
      for (const file of files) {
        const isThere = await services.project.exists(file.path);
        const isWritten = !isThere && (options.dryRun === true || (await services.project.write(file)));
        outcomes.push({ ...file, isWritten });
      }
      if (options.dryRun !== true) await rememberProject(services);
      if (outputMode(options) === 'json') {
        const written = outcomes.filter(({ isWritten }) => isWritten).map(({ path }) => path);
        const kept = outcomes.filter(({ isWritten }) => !isWritten).map(({ path }) => path);
        services.print(toJson({ ...look, agents, agent, isDryRun: options.dryRun === true, written, kept }));
      } else services.print(describe({ look, agents, agent, outcomes, isDryRun: options.dryRun === true }, services));
      done(0);
    });
}

/** Every prompt describes the project; an unusable store does not stop the rest of the setup. */
async function rememberProject(services: InitServices): Promise<void> {
  try {
    const project = await services.project.describe();
    await withStore(services, {}, ({ store }) => recordProject(store, project));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    services.warn(`devs: could not store what the project is: ${error.message}`);
  }
}

/** Detected values are set in the file; all others are comments. */
function chosenFor(
  { isRepository, setup, checks, allow, ownFiles, specs, root }: ProjectLook,
  agent: string,
): SettingValues {
  const shorten = (path: string) => relative(root, path);
  const named = {
    ...(specs.tas === undefined ? {} : { tas: shorten(specs.tas) }),
    ...(specs.prd === undefined ? {} : { prd: shorten(specs.prd) }),
  };
  return {
    agent,
    workflow: WORKFLOW,
    ...(isRepository ? {} : { worktree: 'here' }),
    ...(ownFiles.length === 0 ? {} : { copy: [...ownFiles] }),
    ...(setup.length === 0 ? {} : { setup: setup.map((command) => [...command]) }),
    ...(checks.length === 0 ? {} : { checks: checks.map((command) => [...command]) }),
    ...(allow.length === 0 ? {} : { permissions: { allow: [...allow] } }),
    ...(Object.keys(named).length === 0 ? {} : { reinjection: named }),
  };
}

/** The shipped workflow as the user's own copy: their changes count from then on. */
async function workflowText({ workflowFiles, readText, shippedWorkflows }: InitServices): Promise<string> {
  const shipped = (await workflowFiles.find()).find(({ name, origin }) => name === WORKFLOW && origin === 'shipped');
  const text = await readText(shipped?.path ?? `${shippedWorkflows}/${WORKFLOW}.yaml`);
  return text.replace(/^# yaml-language-server:.*\n/, '');
}

function describeGit({ isRepository, hasCommit }: ProjectLook): string {
  if (!isRepository) return 'no repository: runs work in the folder itself';
  return hasCommit
    ? 'a repository: each run gets a worktree of its own'
    : 'a repository without a commit: runs need a first one for a worktree of their own';
}

interface Story {
  readonly look: ProjectLook;
  readonly agents: readonly InspectedAgent[];
  readonly agent: string;
  readonly outcomes: readonly { readonly path: string; readonly isWritten: boolean; readonly text: string }[];
  readonly isDryRun: boolean;
}

function describe({ look, agents, agent, outcomes, isDryRun }: Story, { screen }: InitServices): string {
  const { palette, columns } = screen;
  const line = (label: string, text: string) => `  ${palette.quiet(label.padEnd(12))}${visible(text)}`;
  const shown = (commands: readonly (readonly string[])[]) => commands.map((command) => command.join(' ')).join(', ');
  const specs = Object.values(look.specs).map((path) => relative(look.root, path));
  const config = outcomes.find(({ path, isWritten }) => path === CONFIG && isWritten);
  return [
    palette.title('Found'),
    line('project', look.root),
    line('git', describeGit(look)),
    ...agents.flatMap(({ agent: name, inspection }) =>
      inspection.kind === 'installed'
        ? line(name === agent ? 'agent *' : 'agent', `${name} ${inspection.version}`)
        : wrapWords(`${name}: ${inspection.reason}; ${inspection.advice}`, columns - LABEL_COLUMNS).map((part, index) =>
            line(index === 0 ? 'agent' : '', part),
          ),
    ),
    line('specs', specs.length === 0 ? 'none (TAS.md and PRD.md would be used)' : specs.join(', ')),
    line('setup', look.setup.length === 0 ? 'none found' : shown(look.setup)),
    line(
      'checks',
      look.checks.length === 0 ? 'none found: add the command that tests your project' : shown(look.checks),
    ),
    line('allowed', look.allow.length === 0 ? 'nothing: agents ask before each command' : look.allow.join(', ')),
    '',
    palette.title(isDryRun ? 'Would write' : 'Written'),
    ...outcomes.map(
      ({ path, isWritten }) => `  ${path}${isWritten ? '' : palette.quiet('  already exists, left unchanged')}`,
    ),
    ...(isDryRun && config !== undefined ? ['', config.text.trimEnd()] : []),
    '',
    ...(look.isRepository
      ? [palette.quiet('.devs/ is kept out of git. To share the configuration: git add -f .devs/config.yaml')]
      : [palette.quiet('With `git init` and a first commit, runs get a worktree of their own.')]),
    ...(bestAgent(agents) === undefined ? ['No agent can work yet. See above what each of them lacks; then:'] : []),
    ...(look.isRepository && !look.hasCommit ? [`First: ${palette.devs('git add . && git commit -m "Begin"')}`] : []),
    `Next: ${palette.devs('devs run "What to do"')}`,
  ].join('\n');
}
