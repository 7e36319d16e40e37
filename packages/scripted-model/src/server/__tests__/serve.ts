import { onTestFinished } from 'vitest';
import { parseScenario } from '../../scenario/parse-scenario.js';
import { type ModelServerOptions, startModelServer } from '../start-model-server.js';

/** A server for one test, with a stopped clock and without delays. */
export async function serve(scenario = '', options: ModelServerOptions = {}) {
  const slept: number[] = [];
  const server = await startModelServer({
    scenario: parseScenario(scenario),
    clock: { now: () => Date.UTC(2026, 0, 1) },
    sleep: async (ms) => void slept.push(ms),
    ...options,
  });
  onTestFinished(() => server.close());
  return { server, slept };
}
