import type { Scenario } from '@devs/scripted-model';
import { CliError } from '../../cli-error.js';
import { visible } from '../../screen/visible.js';

/** Reads a scenario; its problems are named with their lines. */
export async function readScenarioFile(model: typeof import('@devs/scripted-model'), file: string): Promise<Scenario> {
  try {
    return await model.readScenario(file);
  } catch (error) {
    if (!(error instanceof model.ScenarioError)) throw error;
    const problems = error.problems.map(({ line, column, message }) => `  ${line}:${column}  ${visible(message)}`);
    const advice = 'packages/scripted-model/README.md says what a scenario may hold.';
    throw new CliError([`the scenario ${visible(file)} cannot be used:`, ...problems, advice].join('\n'));
  }
}
