import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DEVS, runDevs } from './run-devs.js';

const packageUrl = new URL('../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(packageUrl, 'utf8')) as { version: string };

describe.concurrent('devs', () => {
  it('alone says what to type where no project is known', async () => {
    const { exitCode, stdout, stderr } = await runDevs([], { env: { XDG_STATE_HOME: '/nowhere' } });

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('Three things to type:');
  });

  it('prints the version of its package', async () => {
    expect(await runDevs(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('exits with 2 on wrong usage', async () => {
    const { exitCode, stdout, stderr } = await runDevs(['debgu']);

    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('Did you mean `devs debug`?');
  });

  it('is quiet when its reader has seen enough', async () => {
    const run = await runDevs(['debug', 'protocol', '--json'], { closeStdout: true });

    expect(run).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  });

  it('exits with 130 on Ctrl-C', async () => {
    // The program waits for its stdin; the preloaded module says when it is ready for the signal.
    const ready = `process.on('newListener', (name) => name === 'SIGINT' && setImmediate(() => process.stderr.write('ready')))`;
    const preload = `data:text/javascript,${encodeURIComponent(ready)}`;
    const child = spawn(process.execPath, ['--import', preload, DEVS, 'debug', 'detect'], { stdio: 'pipe' });
    child.stderr.once('data', () => child.kill('SIGINT'));

    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
  });
});
