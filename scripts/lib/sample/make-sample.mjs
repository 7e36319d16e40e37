import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { capture } from '../run.mjs';

/** The model of the sample sees little at a time, so that a conversation fills up within a minute. */
const SAMPLE_WINDOW = 29_000;

export const SAMPLE_SCENARIO = join(repoRoot, 'examples', 'scenarios', 'sample-builtin.yaml');

/** The model that answers by a script counts only as a flag. */
export const SAMPLE_MODEL = ['--provider', 'scripted', '--scenario', SAMPLE_SCENARIO];

export const SAMPLE_REQUEST = 'Add formatDuration: milliseconds as people write them, as docs/prd.md asks for';

/**
 * A copy of the sample project with a git history of its own, and settings that use nothing of this machine.
 *
 * @param {string} folder
 * @returns {Promise<string>} the project
 */
export async function makeSample(folder) {
  const project = await makeProject(join(folder, 'durations'), join(repoRoot, 'examples', 'sample-project'));
  const settings = join(sampleEnvironment(folder).XDG_CONFIG_HOME ?? folder, 'devs');
  mkdirSync(settings, { recursive: true, mode: 0o700 });
  writeFileSync(join(settings, 'config.yaml'), SETTINGS);
  return project;
}

/**
 * @param {string} project
 * @param {string} from
 */
export async function makeProject(project, from) {
  cpSync(from, project, { recursive: true });
  await git(project, ['init', '--quiet', '--initial-branch=main']);
  await git(project, ['add', '.']);
  await git(project, ['commit', '--quiet', '--message', 'What there is so far']);
  return project;
}

/**
 * Nothing of the user's own settings and records counts for the sample, and it leaves nothing there.
 *
 * @param {string} folder
 * @returns {NodeJS.ProcessEnv}
 */
export function sampleEnvironment(folder) {
  const others = Object.entries(process.env).filter(([name]) => !/^(DEVS_|NODE_TEST_CONTEXT$)/.test(name));
  return {
    ...Object.fromEntries(others),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
  };
}

/** The user's own: they need no agreement. */
const SETTINGS = `# The settings of the sample. \`devs config\` says where each value comes from.
agent: builtin
checks: [[npm, test]]
model:
  window: ${SAMPLE_WINDOW}
`;

/**
 * @param {string} project
 * @param {string[]} args
 */
async function git(project, args) {
  const who = ['-c', 'user.name=sample', '-c', 'user.email=sample@localhost', '-c', 'commit.gpgsign=false'];
  const { code, output } = await capture('git', [...who, ...args], { cwd: project });
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${output.trim()}`);
}
