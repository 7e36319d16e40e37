import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { openToolWorld } from './tool-world.js';

const node = (script: string, ...args: string[]) => ({ command: [process.execPath, '-e', script, ...args] });

describe('run_command', () => {
  it('runs a program in the worktree and reports both output streams', async () => {
    const { call, root } = await openToolWorld();
    const observed = await call('run_command', node('console.log(process.cwd()); console.error("careful")'));
    expect(observed).toMatchObject({ status: 'ok', exitCode: 0 });
    expect(observed.output).toContain(root);
    expect(observed.output).toContain('careful');
  });

  it('passes arguments as they are: there is no shell', async () => {
    const { call } = await openToolWorld();
    const word = '$HOME; echo "no" > x && `id`';
    expect(await call('run_command', node('process.stdout.write(process.argv[1])', word))).toMatchObject({
      output: word,
    });
  });

  it('reports the exit code of a failure and of a missing program', async () => {
    const { call } = await openToolWorld();
    expect(await call('run_command', node('process.exit(3)'))).toMatchObject({
      status: 'error',
      exitCode: 3,
      errorDetail: 'exit code 3',
    });
    expect(await call('run_command', { command: ['no-such-program'] })).toMatchObject({
      status: 'error',
      errorDetail: expect.stringContaining('no program'),
    });
  });

  it('keeps both ends of endless output, in bounded memory', async () => {
    const { call } = await openToolWorld();
    const { output } = await call('run_command', node('for (let i = 0; i < 200000; i++) console.log("line " + i)'));
    expect(output).toMatch(/^line 0\n[\s\S]*left out[\s\S]*line 199999\n$/);
  });

  it('[3_MCP-TAS-073] gives TIMEOUT_EXCEEDED after the limit, and ends all that the program started', async () => {
    const { call, root } = await openToolWorld();
    const script = `
      const { spawn } = require('node:child_process');
      process.on('SIGTERM', () => {});
      const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('node:fs').writeFileSync('pids', process.pid + ' ' + child.pid);
      console.log('begun');
      setInterval(() => {}, 1000);`;
    const within = (limitMs: number) => call('run_command', { ...node(script), timeout_ms: limitMs });
    // On a busy machine a program may reach its time limit before it starts, which proves nothing.
    let limitMs = 1_000;
    let observed = await within(limitMs);
    for (; observed.output === '' && limitMs < 60_000; observed = await within(limitMs)) limitMs *= 2;
    expect(observed).toMatchObject({
      status: 'TIMEOUT_EXCEEDED',
      output: 'begun\n',
      errorDetail: expect.stringContaining(`${limitMs} ms`),
    });

    const pids = readFileSync(join(root, 'pids'), 'utf8').split(' ').map(Number);
    expect(pids).toHaveLength(2);
    await until(() => !pids.some(isRunning));
  });

  it('[3_MCP-TAS-073] cannot be given a longer limit than the agent has', async () => {
    const { call } = await openToolWorld({ timeLimitMs: 300 });
    expect(await call('run_command', { ...node('setInterval(() => {}, 1000)'), timeout_ms: 60_000 })).toMatchObject({
      status: 'TIMEOUT_EXCEEDED',
    });
  });

  it('ends with the turn that is interrupted', async () => {
    const { call, root } = await openToolWorld();
    const interruption = new AbortController();
    const running = call(
      'run_command',
      node('require("node:fs").writeFileSync("pid", String(process.pid)); setInterval(() => {}, 1000)'),
      interruption.signal,
    );
    const written = () => (existsSync(join(root, 'pid')) ? readFileSync(join(root, 'pid'), 'utf8') : '');
    await until(() => written() !== '');
    interruption.abort(new Error('enough'));
    await expect(running).rejects.toThrow();
    const pid = Number(written());
    await until(() => !isRunning(pid));
  });

  it("keeps the keys of the agent's model to itself", async () => {
    const { call } = await openToolWorld({
      env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'secret-1', OPENAI_API_KEY: 'secret-2' },
    });
    const { output } = await call('run_command', node('console.log(JSON.stringify(process.env))'));
    expect(output).not.toContain('secret');
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
