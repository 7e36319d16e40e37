// `pnpm try:package`: packs devs, installs the file in every way that the README names, and uses it there.
// The packages of others come from a registry; where there is none, that is said and nothing is tried.
import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainInstallFailure } from './lib/install/explain-install-failure.mjs';
import { npm } from './lib/install/pnpm.mjs';
import { installWays } from './lib/package/install-ways.mjs';
import { packInto } from './lib/package/pack-into.mjs';
import { prepare } from './lib/prepare.mjs';
import { builtPackage } from './lib/recording/open-stage.mjs';
import { capture } from './lib/run.mjs';
import { makeSample, SAMPLE_REQUEST, SAMPLE_SCENARIO, sampleEnvironment } from './lib/sample/make-sample.mjs';
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
  await sayWhoHasTheName();
  for (const way of installWays({ file, folder, npm: npm() })) {
    const failure = await tryWay(way, environmentOf(join(folder, 'homes', way.name)));
    if (failure !== undefined) return failure;
  }
  const bin = join(folder, 'global', 'lib', 'node_modules', 'devs', 'packages', 'cli', 'bin', 'devs.mjs');
  const doctor = await capture(process.execPath, [bin, 'doctor'], { cwd: folder, env: environmentOf(folder) });
  assert.match(doctor.output, /devs \d/);
  // A folder of its own: the stores in the others belong to users with other homes.
  const served = join(folder, 'served');
  mkdirSync(served);
  await serveTools(served, bin, environmentOf(folder));
  await runSample(folder, bin);
  say('the package installs and works');
  return 0;
}

/**
 * @param {import('./lib/package/install-ways.mjs').InstallWay} way
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number | undefined>} the exit code where nothing more can be tried
 */
async function tryWay(way, env) {
  mkdirSync(way.cwd, { recursive: true });
  writeFileSync(join(way.cwd, 'package.json'), `${JSON.stringify(way.manifest, null, 2)}\n`);
  const startedAt = performance.now();
  for (const [program, ...args] of way.install) {
    const { code, output } = await capture(program, args, { cwd: way.cwd, env });
    if (code === 0) continue;
    const advice = explainInstallFailure(output);
    if (!advice.includes('network')) say(`${way.name}: the installation failed:\n${output.trim()}`);
    else say(`not tried, as the packages of others cannot be reached: ${advice}`);
    return advice.includes('network') && process.env.DEVS_REQUIRE_NETWORK === undefined ? 0 : 1;
  }
  const [program, ...before] = way.start;
  const devs = async (/** @type {string[]} */ ...args) => {
    const { code, output } = await capture(program, [...before, ...args], { cwd: way.cwd, env });
    assert.equal(code, 0, `${way.name}: devs ${args.join(' ')}\n${output}`);
    return output;
  };
  assert.match(await devs('task', 'add', 'Install devs'), /^install-devs$/m); // opens the database
  assert.match(await devs('workflow', 'list'), /feature +shipped/); // finds its files
  say(`${way.name}: works, after ${seconds(startedAt)}`);
  return undefined;
}

/** The name is ours to publish only while it is free. */
async function sayWhoHasTheName() {
  const [program, ...before] = npm();
  const { code, output } = await capture(program, [...before, 'view', 'devs', 'version', '--loglevel=error']);
  if (output.includes('E404')) say('the name devs is free in the registry');
  else say(code === 0 ? `the name devs is taken in the registry (${output.trim()})` : 'the registry did not answer');
}

/**
 * A whole run: its host, its agent and the agent's tools are processes of what was installed. The model is the one of the
 * checkout, which answers by a script; the agent reaches it as any provider.
 *
 * @param {string} folder
 * @param {string} bin
 */
async function runSample(folder, bin) {
  const cwd = await makeSample(folder);
  const env = sampleEnvironment(folder);
  const { readScenario, startModelServer } = await builtPackage('scripted-model');
  const model = await startModelServer({ scenario: await readScenario(SAMPLE_SCENARIO) });
  const provider = ['--provider', 'anthropic', '--model', 'sample', '--set', `model.baseUrl=${model.url}`];
  const asked = ['run', '--merge', ...provider, 'feature', SAMPLE_REQUEST];
  const { code, output } = await capture(process.execPath, [bin, ...asked], { cwd, env });
  await model.close();
  say(`devs run: ${code}`);
  assert.equal(code, 0, output);
  const report = await capture(process.execPath, [bin, 'report', '--json'], { cwd, env });
  assert.equal(JSON.parse(report.output).outcome.kind, 'done');
}

/**
 * An agent's first words to `devs mcp`, and the end of its input.
 *
 * @param {string} project
 * @param {string} bin
 * @param {NodeJS.ProcessEnv} env
 */
async function serveTools(project, bin, env) {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [bin, 'mcp'], { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] });
  let answer = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    answer += text;
    if (answer.includes('\n')) child.stdin.end();
  });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await new Promise((resolve) => child.on('close', resolve));
  assert.match(answer, /"serverInfo":\{"name":"devs"/);
  say('devs mcp: answers');
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
