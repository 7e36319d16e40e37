// `pnpm record:first-run`: the first hour with real, pinned Claude Code and Codex, in a fresh home, against a scripted
// model on loopback. Written to docs/recordings, as text.
//
// node scripts/record-first-run.mjs [claude|codex]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AGENT_PROGRAMS, installProgram } from './lib/install/programs.mjs';
import { packInto } from './lib/package/pack-into.mjs';
import { repoRoot } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { setUpAgent } from './lib/recording/agent-home.mjs';
import { scenarioFor, WORKFLOW } from './lib/recording/first-run-scenario.mjs';
import { builtPackage, openStage } from './lib/recording/open-stage.mjs';
import { say } from './lib/say.mjs';

/** @typedef {'claude' | 'codex'} Agent */

const VARIABLES = { claude: 'DEVS_CLAUDE_CODE', codex: 'DEVS_CODEX' };
const FILES = { claude: 'claude-code.txt', codex: 'codex.txt' };
/** A notice becomes a line in a file: where the user is, a telephone rings. */
const NOTIFY = `notices:\n  command: [sh, -c, 'echo "$DEVS_NOTICE $DEVS_RUN: $1" >> ~/notices.txt', notify]\n`;
const PREFIX = '\u001d';

process.exit(await main()); // terminals that were closed keep a process from ending by itself

async function main() {
  const exitCode = await prepare();
  if (exitCode !== 0) return exitCode;
  const wanted = process.argv.slice(2).filter((arg) => arg !== '--');
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-recording-')));
  try {
    const file = await packInto(join(folder, 'packed'));
    if (file === undefined) return 1;
    for (const agent of /** @type {const} */ (['claude', 'codex'])) {
      if (wanted.length > 0 && !wanted.includes(agent)) continue;
      const text = await record(agent, { folder: join(folder, agent), file });
      mkdirSync(join(repoRoot, 'docs', 'recordings'), { recursive: true });
      writeFileSync(join(repoRoot, 'docs', 'recordings', FILES[agent]), text);
      say(`recorded docs/recordings/${FILES[agent]}`);
    }
    return 0;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

/**
 * @param {Agent} agent
 * @param {{ folder: string, file: string }} place
 */
async function record(agent, { folder, file }) {
  const program = AGENT_PROGRAMS.find(({ variable }) => variable === VARIABLES[agent]);
  const installed = program === undefined ? undefined : await installProgram(program);
  if (program === undefined || installed === undefined) throw new Error(`${agent} could not be installed`);
  const command = agent === 'claude' ? [installed] : [process.execPath, installed];
  const head = `devs with ${program.name} ${program.version}, in a fresh home. Made by \`node scripts/record-first-run.mjs ${agent}\`;\nthe model is a script on loopback. Lines that begin with # say what the user does.`;
  const allowed = await inScene(
    { agent, command, folder: join(folder, 'allow'), permissions: 'allow' },
    async (stage) => {
      stage.title('install, init, and a run to its end; the permissions of the agent are set to allow');
      await install(stage, { folder: join(folder, 'allow'), file });
      await prepareProject(stage);
      await runToItsEnd(stage, agent);
    },
  );
  cpSync(join(folder, 'allow', 'npm'), join(folder, 'ask', 'npm'), { recursive: true, verbatimSymlinks: true });
  const asked = await inScene({ agent, command, folder: join(folder, 'ask'), permissions: 'ask' }, async (stage) => {
    stage.title('a run that comes to a question; the permissions of the agent are as it ships');
    await prepareProject(stage);
    await runToItsQuestion(stage, agent);
  });
  return `${head}\n\n${allowed}\n\n${asked}\n`;
}

/** @typedef {Awaited<ReturnType<typeof openStage>>} Stage */

/**
 * @param {{ agent: Agent, command: string[], folder: string, permissions: 'allow' | 'ask' }} scene
 * @param {(stage: Stage) => Promise<void>} play
 */
async function inScene({ agent, command, folder, permissions }, play) {
  const { parseScenario, startModelServer } = await builtPackage('scripted-model');
  const model = await startModelServer({ scenario: parseScenario(scenarioFor(permissions)) });
  const env = {
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_AUTH_TOKEN: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: '1',
    FAKE_KEY: 'none',
  };
  const stage = await openStage({ folder, env, agent: { name: agent, command } });
  try {
    setUpAgent(agent, { home: stage.home, permissions, modelUrl: model.url });
    await play(stage);
    return stage.text();
  } finally {
    await model.close();
  }
}

/**
 * @param {Stage} stage
 * @param {{ folder: string, file: string }} place
 */
async function install(stage, { folder, file }) {
  cpSync(file, join(stage.home, basename(file)));
  // How packages of others are reached here is no part of the recording.
  const reached = Object.entries(process.env).filter(([name]) => /proxy|cert|^npm_config_/i.test(name));
  const env = {
    ...Object.fromEntries(reached),
    npm_config_prefix: join(folder, 'npm'),
    npm_config_userconfig: join(homedir(), '.npmrc'),
    npm_config_cache: join(homedir(), '.npm'),
    npm_config_loglevel: 'error',
  };
  await stage.type(`npm install --global --no-audit --no-fund ./${basename(file)}`, { cwd: stage.home, env });
  await stage.type('devs --version');
}

/** @param {Stage} stage */
async function prepareProject(stage) {
  const git = (/** @type {string[]} */ ...args) => execFileSync('git', args, { cwd: stage.project });
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(stage.project, 'README.md'), '# shop\n');
  git('add', '.');
  git('-c', 'user.name=user', '-c', 'user.email=user@localhost', 'commit', '--quiet', '--message', 'Begin');
  await stage.type('devs init');
  mkdirSync(join(stage.project, '.devs', 'workflows'), { recursive: true });
  writeFileSync(join(stage.project, '.devs', 'workflows', 'one-step.yaml'), WORKFLOW);
  mkdirSync(join(stage.home, '.config', 'devs'), { recursive: true });
  writeFileSync(join(stage.home, '.config', 'devs', 'config.yaml'), NOTIFY);
  stage.note('writes a workflow of one step, and a program that is told what happens');
  await stage.type('cat .devs/workflows/one-step.yaml ~/.config/devs/config.yaml');
  await stage.type('devs config --trust');
}

/** @param {Agent} agent */
function runLine(agent) {
  return `devs run one-step "Make the file" --agent ${agent}`;
}

/**
 * @param {Stage} stage
 * @param {Agent} agent
 */
async function runToItsEnd(stage, agent) {
  const window = stage.open(runLine(agent));
  await window.shows('Do you trust the files in this folder?');
  window.record('asks once');
  stage.note('types y');
  window.press('y\r');
  await window.ended();
  window.record('at its end');
  await stage.type('devs report');
  await stage.type('cat ~/notices.txt');
}

/**
 * @param {Stage} stage
 * @param {Agent} agent
 */
async function runToItsQuestion(stage, agent) {
  const window = stage.open(runLine(agent));
  await window.shows('Do you trust the files in this folder?');
  window.press('y\r');
  await window.shows('needs you: ');
  window.record('after y, and some time');
  stage.note('is somewhere else, and is told there');
  await stage.type('cat ~/notices.txt');
  const asked = await stage.type('devs answer');
  const [, question = '', run = ''] = /^(\S+) {2}run ([\w-]+)/m.exec(asked) ?? [];
  stage.note('answers in words, which a dialog does not take: the question stays open');
  await stage.type(`devs answer ${question} "Yes, make it"`);
  const attached = stage.open(`devs attach ${run}`);
  await attached.shows('made.txt');
  await pause(1_000);
  attached.record('the dialog of the agent');
  stage.note('presses Enter on yes, and leaves with Ctrl-] d');
  attached.press('\r');
  await pause(1_000);
  attached.press(`${PREFIX}d`);
  await attached.ended();
  await window.ended();
  window.record('at its end');
  await stage.type('devs answer');
  await stage.type('cat ~/notices.txt');
}
