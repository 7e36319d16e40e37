import type { NewTask } from '@devs/core';
import type { Random } from '@devs/core/testing';

const MAX_DEPENDENCIES = 2;
/** Chains, and many that could be done at once. */
const LOOKED_BACK = 12;

/** About two thirds of the tasks depend on one or two earlier ones. */
export function randomTasks(
  count: number,
  random: Random,
  base: string,
): readonly (NewTask & { depends_on: string[] })[] {
  const idOf = (index: number) => `t${String(index).padStart(3, '0')}`;
  return Array.from({ length: count }, (_, index) => {
    const depends_on = new Set<string>();
    const wanted = index === 0 ? 0 : random.below(MAX_DEPENDENCIES + 1);
    for (let n = 0; n < wanted; n++) depends_on.add(idOf(Math.max(0, index - 1 - random.below(LOOKED_BACK))));
    return { id: idOf(index), intent: `Write the file of ${idOf(index)}`, depends_on: [...depends_on], base };
  });
}

const envelope = (tool: string, input: object) =>
  JSON.stringify({
    schema_version: '1.0',
    turn_index: 0,
    agent_id: 'worker',
    phase: 'work',
    thought: { reasoning: 'The next thing', plan: 'One thing at a time' },
    action: { tool_name: tool, arguments: input },
  });

/** A file under the name of the run's branch, so that each run leaves a trace of its own. */
const WRITE = ['sh', '-c', 'f=$(git branch --show-current | tr / -); echo done > "$f.txt"'];

const ANSWERS = [
  [['workflow_', 'End your turn now'], envelope('end_turn', { message: 'Waiting.' })],
  [['workflow_', '"status":"complete"'], envelope('end_turn', { message: 'All is done.' })],
  [['workflow_', '"step":"write"'], envelope('run_command', { command: WRITE })],
  [['run_command'], envelope('workflow_advance', { output: 'Written.' })],
  [['workflow_', '"step":"tell"'], envelope('workflow_advance', { output: 'Done.' })],
] as const;

/** A model that does the small workflow, each answer after a while. */
export const soakScenario = (delay: string) => ({
  name: 'small',
  rules: ANSWERS.map(([[tool, ...texts], say]) => ({
    when: { prompt: [`OBSERVATION {"tool_name":"${tool}`, ...texts] },
    reply: [{ delay }, { say }],
  })),
  default: [{ delay }, { say: envelope('workflow_status', {}) }],
});

export const fileOfRun = (runId: string): string => `devs-${runId}.txt`;
