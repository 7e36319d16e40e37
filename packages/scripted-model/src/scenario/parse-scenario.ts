import { readYaml, type TextKind, type TextPath } from '@devs/core/yaml';
import type { Scenario } from './scenario.js';
import { ScenarioError } from './scenario-error.js';
import { ScenarioSchema } from './scenario-schema.js';

const SCENARIO: TextKind<Scenario> = {
  schema: ScenarioSchema,
  subject: 'The scenario',
  maxMegabytes: 4,
  mayBeEmpty: true,
  nameOf,
};

/**
 * Parses a scenario from YAML or JSON.
 *
 * @throws {ScenarioError} with every problem and its place; no other error for any text
 */
export function parseScenario(text: string, path?: string): Scenario {
  const { value, problems } = readYaml(text, SCENARIO);
  if (value !== undefined && problems.isEmpty) return value;
  throw new ScenarioError({ problems: problems.inOrder(), path });
}

/** `rules[0].reply[1].tool` */
function nameOf(path: TextPath): string {
  const name = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return name === '' ? SCENARIO.subject : name.replace(/^\./, '');
}
