// An agent that calls `devs` itself and writes how each call ended to `meddling.json` in its folder. Its calls are the lines of
// `calls.json`: `{ args, manner }`, where an `orphan` has no environment but a home, no session, no group and no parents.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const { DEVS, HOME, PATH, XDG_STATE_HOME, XDG_CONFIG_HOME } = process.env;
process.stdout.write('> ');
process.stdin.on('data', (bytes) => process.stdout.write(`[heard ${bytes.toString('hex')}]\r\n`));

const ended = [];
for (const { args, manner } of JSON.parse(readFileSync('calls.json', 'utf8'))) {
  ended.push({ args, manner, ...(manner === 'orphan' ? await callAsOrphan(args) : await call(args)) });
}
write('meddling.json', ended);

async function call(args, options = {}) {
  const child = spawn(process.execPath, [DEVS, ...args], { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  return { exitCode, said };
}

async function callAsOrphan(args) {
  const result = `orphan-${ended.length}.json`;
  const program = `
    import { spawnSync } from 'node:child_process';
    import { renameSync, writeFileSync } from 'node:fs';
    const { status, stdout, stderr } = spawnSync(process.execPath, ${JSON.stringify([DEVS, ...args])}, { encoding: 'utf8' });
    writeFileSync('${result}.draft', JSON.stringify({ exitCode: status, said: stdout + stderr }));
    renameSync('${result}.draft', '${result}');`;
  const middle = `require('node:child_process').spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(program)}],
    { detached: true, stdio: 'ignore' }).unref()`;
  const env = { HOME, PATH, XDG_STATE_HOME, XDG_CONFIG_HOME };
  spawn(process.execPath, ['-e', middle], { detached: true, stdio: 'ignore', env }).unref();
  while (!existsSync(result)) await pause(20);
  return JSON.parse(readFileSync(result, 'utf8'));
}

function write(file, value) {
  writeFileSync(`${file}.draft`, JSON.stringify(value));
  renameSync(`${file}.draft`, file);
}
