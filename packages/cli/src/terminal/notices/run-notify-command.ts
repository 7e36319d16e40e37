import { spawn } from 'node:child_process';

export interface NotifyRequest {
  readonly command: readonly string[];
  /** As the last argument. */
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the user's own program and does not wait for it. What is the matter with it is told, and nothing else happens. */
export function runNotifyCommand({ command, text, env }: NotifyRequest, onProblem: (problem: string) => void): void {
  const [file, ...args] = command;
  if (file === undefined) return;
  try {
    const child = spawn(file, [...args, text], {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, ...env },
    });
    child.on('error', (error) => onProblem(`${file}: ${error.message}`));
    child.unref();
  } catch (error) {
    onProblem(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
