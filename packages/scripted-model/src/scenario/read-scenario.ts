import { readFile } from 'node:fs/promises';
import { parseScenario } from './parse-scenario.js';
import type { Scenario } from './scenario.js';
import { ScenarioError } from './scenario-error.js';

/** The scenario in a file. @throws {ScenarioError} also where there is no such file */
export async function readScenario(path: string): Promise<Scenario> {
  return parseScenario(await readOrRefuse(path), path);
}

async function readOrRefuse(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ScenarioError({ path, cause, problems: [{ line: 1, column: 1, message: `cannot be read: ${reason}` }] });
  }
}
