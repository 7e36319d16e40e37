import { DevsError } from '@devs/core';

export interface ScenarioProblem {
  /** From 1, as editors count. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A scenario cannot be used. The message lists every problem with its place. */
export class ScenarioError extends DevsError {
  readonly code = 'SCENARIO_INVALID';
  readonly problems: readonly ScenarioProblem[];
  readonly path: string | undefined;

  constructor({ problems, path, cause }: InvalidScenario) {
    const scenario = path === undefined ? 'The scenario' : `The scenario '${path}'`;
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    const lines = problems.map(({ line, column, message }) => `- line ${line}, column ${column}: ${message}`);
    super([`${scenario} has ${count}:`, ...lines].join('\n'), { cause });
    this.problems = problems;
    this.path = path;
  }
}

interface InvalidScenario {
  readonly problems: readonly ScenarioProblem[];
  readonly path?: string | undefined;
  readonly cause?: unknown;
}
