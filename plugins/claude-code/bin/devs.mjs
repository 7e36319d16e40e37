// Finds devs and becomes it, in the same process: the plugin may stand in a checkout, or devs may be installed elsewhere.
//
// Order: the program that DEVS_BIN names; the checkout that this plugin is part of; `devs` on the PATH. A hook for which
// there is no devs says nothing and ends well, as the agent has work to do.
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const { env } = process;
const asked = process.argv.slice(2);
const isHook = asked[0] === 'hook';
const args = asked[0] === 'handoff' ? [...asked, ...ownTranscript()] : asked;

// The project, wherever Claude Code starts its servers: `devs mcp` serves the folder that it stands in.
if (asked[0] === 'mcp' && env.CLAUDE_PROJECT_DIR && existsSync(env.CLAUDE_PROJECT_DIR)) {
  process.chdir(env.CLAUDE_PROJECT_DIR);
}

const found = findDevs();
if (found !== undefined) await become(found);
else if (!isHook) {
  process.stderr.write('devs: not found. Install it, or name its program in the variable DEVS_BIN.\n');
  process.exitCode = 1;
}

function findDevs() {
  const checkout = fileURLToPath(new URL('../../../packages/cli/bin/devs.mjs', import.meta.url));
  // An empty or relative entry means the folder we stand in, which is the project: what lies there is not the user's devs.
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const onPath = folders.map((folder) => join(folder, 'devs'));
  return [env.DEVS_BIN, checkout, ...onPath].find((file) => file && existsSync(file));
}

/** The conversation that asks, where another one in the same folder may be newer. */
function ownTranscript() {
  const projects = join(env.CLAUDE_CONFIG_DIR || join(homedir(), '.claude'), 'projects');
  const id = env.CLAUDE_CODE_SESSION_ID;
  if (!id || !existsSync(projects)) return [];
  const file = readdirSync(projects)
    .map((folder) => join(projects, folder, `${id}.jsonl`))
    .find((candidate) => existsSync(candidate));
  return file === undefined ? [] : ['--agent', 'claude', '--transcript', file];
}

/** @param {string} file */
async function become(file) {
  const real = realpathSync(file);
  if (/\.[cm]?js$/.test(real)) {
    process.argv = [process.execPath, real, ...args];
    await import(pathToFileURL(real).href);
    return;
  }
  // A wrapper that a package manager made.
  const { spawn } = await import('node:child_process');
  const child = spawn(real, args, { stdio: 'inherit' });
  child.on('error', () => {
    process.exitCode = isHook ? 0 : 1;
  });
  child.on('close', (code) => {
    process.exitCode = isHook ? 0 : (code ?? 1);
  });
}
