import { spawn } from 'node:child_process';
import { messageOf } from '@devs/core';

export interface NotifyRequest {
  readonly command: readonly string[];
  /** As the last argument. */
  readonly text: string;
  /** The project that it is about. */
  readonly folder: string;
  /** Of the user who is told, and not of the process that tells. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it is about, as variables. */
  readonly about: Readonly<Record<string, string>>;
}

/** Starts the user's own program and does not wait for it. What is the matter with it is told, and nothing else happens. */
export function runNotifyCommand(request: NotifyRequest, onProblem: (problem: string) => void): void {
  const { command, text, folder, env, about } = request;
  const [file, ...args] = command;
  if (file === undefined) return;
  try {
    const child = spawn(file, [...args, text], {
      stdio: 'ignore',
      detached: true,
      cwd: folder,
      env: { ...env, ...about },
    });
    child.on('error', (error) => onProblem(`${file}: ${error.message}`));
    child.unref();
  } catch (error) {
    onProblem(`${file}: ${messageOf(error)}`);
  }
}
