import { execFile } from 'node:child_process';
import { ApiError, type Output } from '@devs/api';
import { believed, listSettings, type RunFacts, readSettings, SAFE_SETTINGS } from '@devs/core';
import { STARTABLE_AGENTS } from '@devs/drivers/agents';
import type { FileHandlers } from '@devs/server';
import type { SettingChanger } from '../config/change-project-setting.js';
import type { SettingsFiles } from '../config/create-settings-files.js';
import { describeProblem } from '../config/load-settings.js';
import type { Recall } from '../recall/create-recall.js';
import { toListed } from '../recall/to-listed.js';
import type { FoundWorkflow, WorkflowFiles } from '../workflow/create-workflow-files.js';
import { examineWorkflow } from '../workflow/read-template.js';
import { asApiError } from './as-api-error.js';

/** The files of one project, as its user's own commands read them. */
interface ProjectFiles {
  readonly workflowFiles: WorkflowFiles;
  readonly settingsFiles: SettingsFiles;
  readonly settingChanger: SettingChanger;
}

export interface FileHandlersDeps {
  /** Roots of the projects that devs knows. */
  projects(): Promise<readonly string[]>;
  filesOf(root: string): ProjectFiles;
  /** What starts devs: `[node, devs.mjs]`. */
  readonly devsCommand: readonly string[];
  readonly recall: Recall;
  /** The runs of a project: their agents worked in folders of their own. */
  runsOf(root: string): Promise<readonly RunFacts[]>;
}

const USUAL_RESULTS = 10;
const MAX_RESULTS = 100;

/** What the API tells of the files of a project that devs knows. */
export function createFileHandlers(deps: FileHandlersDeps): FileHandlers {
  const { projects, filesOf, devsCommand, recall, runsOf } = deps;
  const known = async (root: string): Promise<ProjectFiles> => {
    if (!(await projects()).includes(root)) throw new ApiError('not-found', `devs does not know the project ${root}`);
    return filesOf(root);
  };
  return {
    async 'workflows.list'({ project }) {
      const { workflowFiles } = await known(project);
      const found = await workflowFiles.find();
      return { workflows: await Promise.all(found.map((workflow) => describe(workflow, workflowFiles))) };
    },
    async 'workflows.get'({ project, workflow }) {
      const { workflowFiles } = await known(project);
      const found = (await workflowFiles.find()).find(({ name }) => name === workflow);
      if (found === undefined) throw new ApiError('not-found', `there is no workflow ${workflow}`);
      const source = await workflowFiles.read(found);
      const examined = await examineWorkflow(found.shown, async () => ({ shown: found.shown, text: source }));
      const template = examined.ok ? { template: believed<Template>(examined.template) } : {};
      return { ...(await describe(found, workflowFiles)), source, ...template };
    },
    async 'settings.get'({ project }) {
      const { settingsFiles } = await known(project);
      const read = readSettings((await settingsFiles.read()).layers, STARTABLE_AGENTS);
      if (read.kind === 'problems') return { settings: [], problems: read.problems.map(describeProblem) };
      const listed = believed<Settings>(listSettings(read.settings, read.sources));
      return { settings: listed.map((one) => ({ ...one, isSafe: SAFE_SETTINGS.includes(one.key) })), problems: [] };
    },
    async 'settings.change'({ project, setting: key, value }) {
      const { settingChanger } = await known(project);
      return settingChanger.change({ key, value });
    },
    'recall.search': ({ project, words, limit = USUAL_RESULTS }, { signal }) =>
      asApiError(async () => {
        await known(project);
        const worktrees = (await runsOf(project)).flatMap(({ worktree }) => worktree?.path ?? []);
        const most = Math.min(Math.max(limit, 1), MAX_RESULTS);
        const found = await recall({ root: project, worktrees, query: words, limit: most, signal });
        const results = found.results.map((result) => {
          const { also: _, ...listed } = toListed(result);
          return listed;
        });
        return { results, conversations: found.conversations };
      }),
    async 'doctor.run'({ project }) {
      await known(project);
      return examine(devsCommand, project);
    },
  };
}

type Template = NonNullable<Output<'workflows.get'>['template']>;
type Settings = Output<'settings.get'>['settings'];

async function describe(
  found: FoundWorkflow,
  files: WorkflowFiles,
): Promise<Output<'workflows.list'>['workflows'][number]> {
  const { name, path, origin } = found;
  const open = async () => ({ shown: found.shown, text: await files.read(found) });
  const examined = await examineWorkflow(found.shown, open);
  if (!examined.ok) return { name, path, origin, problem: examined.problems.map(({ message }) => message).join('; ') };
  const { description } = examined.template;
  return { name, path, origin, ...(description === undefined ? {} : { description }) };
}

const DOCTOR_MS = 30_000;

/** As its user would: `devs doctor` in the folder of the project. It exits with 1 where something does not work, and says it all the same. */
const examine = ([file = '', ...args]: readonly string[], cwd: string): Promise<Output<'doctor.run'>> =>
  new Promise((resolve, reject) => {
    execFile(file, [...args, 'doctor', '--json'], { cwd, timeout: DOCTOR_MS }, (error, stdout) => {
      try {
        resolve(JSON.parse(stdout) as Output<'doctor.run'>);
      } catch {
        reject(new ApiError('unavailable', 'devs doctor did not answer', { cause: error }));
      }
    });
  });
