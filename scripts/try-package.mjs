// `pnpm try:package`: packs devs, installs the file into an empty project as a user would, and uses it there.
// The packages of others come from a registry; where there is none, that is said and nothing is tried.
import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainInstallFailure } from './lib/install/explain-install-failure.mjs';
import { npm } from './lib/install/pnpm.mjs';
import { packInto } from './lib/package/pack-into.mjs';
import { prepare } from './lib/prepare.mjs';
import { capture } from './lib/run.mjs';
import { makeSample, SAMPLE_MODEL, SAMPLE_REQUEST, sampleEnvironment } from './lib/sample/make-sample.mjs';
import { say, seconds } from './lib/say.mjs';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'trial', version: '1' } },
};

process.exitCode = await main();

async function main() {
  const exitCode = await prepare();
  if (exitCode !== 0) return exitCode;
  const folder = mkdtempSync(join(tmpdir(), 'devs-package-'));
  try {
    return await tryPackage(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function tryPackage(folder) {
  const file = await packInto(join(folder, 'packed'));
  if (file === undefined) return 1;
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "an-empty-project", "private": true }\n');
  const env = environmentOf(folder);

  const startedAt = performance.now();
  const installed = await runNpm(['install', '--no-audit', '--no-fund', '--loglevel=error', file], project, env);
  if (installed.code !== 0) {
    const advice = explainInstallFailure(installed.output);
    if (!advice.includes('network')) say(`npm install failed:\n${installed.output.trim()}`);
    else say(`not tried, as the packages of others cannot be reached: ${advice}`);
    return advice.includes('network') && process.env.DEVS_REQUIRE_NETWORK === undefined ? 0 : 1;
  }
  say(`installed into an empty project in ${seconds(startedAt)}`);

  /** @param {string[]} args */
  const devs = async (args) => {
    const { code, output } = await runNpm(
      ['exec', '--offline', '--loglevel=error', '--', 'devs', ...args],
      project,
      env,
    );
    say(`npx devs ${args.join(' ')}: ${code}`);
    assert.equal(code, 0, output);
    return output;
  };
  assert.match(await devs(['--version']), /^\d+\.\d+\.\d+$/m);
  assert.match(await devs(['--help']), /devs run/);
  assert.match(await devs(['workflow', 'list']), /feature +shipped/);
  assert.match(await devs(['debug', 'protocol']), /Try next/);
  assert.match(await devs(['task', 'add', 'Install devs']), /^install-devs$/m);
  assert.match(await devs(['doctor']), /devs \d/);
  await serveTools(project, env);
  await runSample(folder, join(project, 'node_modules', 'devs', 'packages', 'cli', 'bin', 'devs.mjs'));
  say('the package installs and works');
  return 0;
}

/**
 * A whole run: its host, its agent and the agent's tools are processes of what was installed.
 *
 * @param {string} folder
 * @param {string} bin
 */
async function runSample(folder, bin) {
  const cwd = await makeSample(folder);
  const env = sampleEnvironment(folder);
  const asked = ['run', '--merge', ...SAMPLE_MODEL, 'feature', SAMPLE_REQUEST];
  const { code, output } = await capture(process.execPath, [bin, ...asked], { cwd, env });
  say(`npx devs run: ${code}`);
  assert.equal(code, 0, output);
  const report = await capture(process.execPath, [bin, 'report', '--json'], { cwd, env });
  assert.equal(JSON.parse(report.output).outcome.kind, 'done');
}

/**
 * An agent's first words to `devs mcp`, and the end of its input.
 *
 * @param {string} project
 * @param {NodeJS.ProcessEnv} env
 */
async function serveTools(project, env) {
  const { spawn } = await import('node:child_process');
  const bin = join(project, 'node_modules', 'devs', 'packages', 'cli', 'bin', 'devs.mjs');
  const child = spawn(process.execPath, [bin, 'mcp'], { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] });
  let answer = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    answer += text;
    if (answer.includes('\n')) child.stdin.end();
  });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await new Promise((resolve) => child.on('close', resolve));
  assert.match(answer, /"serverInfo":\{"name":"devs"/);
  say('npx devs mcp: answers');
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
function runNpm(args, cwd, env) {
  const [file, ...before] = npm();
  return capture(file, [...before, ...args], { cwd, env });
}

/**
 * The user's own settings of npm count; what devs keeps of this machine does not.
 *
 * @param {string} folder
 * @returns {NodeJS.ProcessEnv}
 */
function environmentOf(folder) {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('DEVS_') && !name.startsWith('npm_'));
  return { ...Object.fromEntries(own), ...npmSettings(), XDG_STATE_HOME: join(folder, 'state') };
}

/** `npm_config_…` that a user may have set, without those that describe the command that started us. */
function npmSettings() {
  const setting = /^npm_config_(registry|cache|userconfig|proxy|https_proxy|cafile)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => setting.test(name)));
}
