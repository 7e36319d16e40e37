import { PROGRAM_AGENTS } from '@devs/drivers/agents';
import type { Command } from 'commander';

/** What people type first. */
export const FIRST = ['run', 'claude', 'ls', 'attach', 'answer', 'logs', 'merge', 'stop'] as const;

/** The agents that can be started, as far as they are not named first. */
const OTHER_AGENTS = PROGRAM_AGENTS.filter((agent) => !FIRST.some((name) => name === agent));

/** All others that people type, by topic. */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ['Runs', ['resume', 'report', 'diff']],
  ['Terminals', [...OTHER_AGENTS, 'send', 'interrupt', 'renew']],
  ['Supervisor', ['ui', 'status', 'up', 'down']],
  ['Work', ['task', 'workflow', 'worker', 'machines']],
  ['Records', ['log', 'recall', 'handoff', 'archive']],
  ['Set-up', ['init', 'config', 'doctor', 'purge', 'completion']],
  ['Inside', ['mcp', 'hook', 'agent', 'debug']],
];

const NAME_COLUMNS = 12;

/** The commands of the program as its help shows them: eight, and the names of the rest. */
export function renderHelpGroups(program: Command): string {
  const described = FIRST.map((name) => {
    const command = program.commands.find((candidate) => candidate.name() === name);
    return `  ${name.padEnd(NAME_COLUMNS)}${command?.description() ?? ''}`;
  });
  const groups = GROUPS.map(([title, names]) => `  ${title.padEnd(NAME_COLUMNS)}${names.join(' · ')}`);
  return ['', 'Commands:', ...described, '', 'More (`devs COMMAND --help` describes each):', ...groups].join('\n');
}

/** What to type where devs has not been used yet. */
export const FIRST_STEPS = `Nothing runs, and devs has not been used yet. Three things to type:

  devs run "Add a cart to the shop"   an agent does it, in a worktree of its own
  devs claude                         your own Claude Code, in a terminal that stays
  devs doctor                         which agents are here, and what is missing

All commands: devs --help`;
