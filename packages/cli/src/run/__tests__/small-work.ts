import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openRunProject, type RunProject } from './run-project.js';

export const SMALL_WORKFLOW = `name: small
description: One small thing
steps:
  - { id: write, type: action, instructions: Write the file. }
  - { id: tell, type: action, instructions: Say that it is done. }
`;

const envelope = (tool: string, input: object) =>
  JSON.stringify({
    schema_version: '1.0',
    turn_index: 0,
    agent_id: 'worker',
    phase: 'work',
    thought: { reasoning: 'The next thing', plan: 'One thing at a time' },
    action: { tool_name: tool, arguments: input },
  });

/** A model without memory: each rule looks at what the agent has just observed. */
const ANSWERS = [
  [['workflow_', 'End your turn now'], envelope('end_turn', { message: 'Waiting.' })],
  [['workflow_', '"status":"complete"'], envelope('end_turn', { message: 'All is done.' })],
  [['workflow_', '"step":"write"'], envelope('write_file', { path: 'out.txt', content: 'done\n' })],
  [['write_file'], envelope('workflow_advance', { output: 'Written.' })],
  [['workflow_', '"step":"tell"'], envelope('workflow_advance', { output: 'Done.' })],
] as const;

export interface SmallWork {
  /** How long the model thinks before each answer; not at all without it. */
  readonly delay?: string;
}

/** A project whose runs write one file in two steps: enough to be killed in, and much quicker than the sample. */
export function openSmallProject({ delay }: SmallWork = {}): RunProject {
  const folder = mkdtempSync(join(tmpdir(), 'devs-small-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const scenario = join(folder, 'scenario.json');
  writeFileSync(scenario, JSON.stringify(smallScenario(delay)));
  const project = openRunProject({
    config: 'agent: builtin\nworkflow: small\nmodel: { window: 30000 }\n',
    scenario,
    workflows: { small: SMALL_WORKFLOW },
  });
  project.git('config', 'user.name', 'user');
  project.git('config', 'user.email', 'user@localhost');
  return project;
}

export function smallScenario(delay: string | undefined) {
  const reply = (say: string) => [...(delay === undefined ? [] : [{ delay }]), { say }];
  return {
    name: 'small',
    rules: ANSWERS.map(([[tool, ...texts], say]) => ({
      when: { prompt: [`OBSERVATION {"tool_name":"${tool}`, ...texts] },
      reply: reply(say),
    })),
    default: reply(envelope('workflow_status', {})),
  };
}
