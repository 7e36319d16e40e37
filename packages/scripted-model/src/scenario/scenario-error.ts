import { DevsError } from '@devs/core';
import type { TextProblem } from '@devs/core/yaml';

/** A scenario cannot be used. The message lists every problem with its place. */
export class ScenarioError extends DevsError {
  readonly code = 'SCENARIO_INVALID';
  readonly problems: readonly TextProblem[];
  readonly path: string | undefined;

  constructor({ problems, path, cause }: InvalidScenario) {
    const scenario = path === undefined ? 'The scenario' : `The scenario '${path}'`;
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
    const lines = problems.map(describe);
    super([`${scenario} has ${count}:`, ...lines].join('\n'), { cause });
    this.problems = problems;
    this.path = path;
  }
}

interface InvalidScenario {
  readonly problems: readonly TextProblem[];
  readonly path?: string | undefined;
  readonly cause?: unknown;
}

const describe = ({ line, column, message, hint }: TextProblem) =>
  `- line ${line}, column ${column}: ${message}${hint === undefined ? '' : ` (${hint})`}`;
