import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { CliError } from '../cli-error.js';

export interface DirectRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}

/** Runs the user's own program as if we were not there: it has their input, output, signals and exit code. */
export function runDirectly({ command, args, env, folder }: DirectRun): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { stdio: 'inherit', env: env as NodeJS.ProcessEnv, cwd: folder });
    // Ctrl-C reaches both of us; what it means is the program's to decide. What only we got is passed on.
    const ignore = () => {};
    const pass = (signal: NodeJS.Signals) => child.kill(signal);
    process.on('SIGINT', ignore);
    process.on('SIGQUIT', ignore);
    process.on('SIGTERM', pass);
    process.on('SIGHUP', pass);
    const settle = () => {
      process.off('SIGINT', ignore);
      process.off('SIGQUIT', ignore);
      process.off('SIGTERM', pass);
      process.off('SIGHUP', pass);
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      settle();
      reject(
        new CliError(
          error.code === 'ENOENT'
            ? `${command} was not found on your PATH. \`devs doctor\` says how to install it.`
            : error.message,
        ),
      );
    });
    child.once('close', (code, signal) => {
      settle();
      resolve(signal === null ? (code ?? 0) : 128 + constants.signals[signal]);
    });
  });
}
