import type { Environment } from '../ports/agent-driver.js';
import { commandEnvironment } from './command-environment.js';
import type { Sandbox } from './sandbox.js';

/** Commands run as any other program of the user. Their environment has no keys nevertheless. */
export const createNoSandbox = (env: Environment, pass: readonly string[] = []): Sandbox => ({
  kind: 'none',
  enter: async (command) => ({ command, env: commandEnvironment(env, pass) }),
  close: async () => {},
});
