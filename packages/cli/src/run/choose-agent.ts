import type { AgentInspection, Settings } from '@devs/core';
import { AGENTS } from '@devs/drivers/agents';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';

export interface InspectedAgent {
  readonly agent: string;
  readonly inspection: AgentInspection;
}

/**
 * The agent for the work: the named one, or with `auto` the best available. Throws if it cannot work, with a remedy.
 */
export function chooseAgent({ agent }: Pick<Settings, 'agent'>, inspected: readonly InspectedAgent[]): string {
  if (agent === 'auto') return bestAgent(inspected) ?? refuseAll(inspected);
  const found = inspected.find((candidate) => candidate.agent === agent)?.inspection;
  if (found === undefined || found.kind === 'installed') return agent;
  const others = inspected.filter(({ inspection }) => inspection.kind === 'installed').map((other) => other.agent);
  const instead = others.length === 0 ? '' : ` Or use another: --agent ${others.join(', --agent ')}.`;
  throw new CliError(
    `the agent ${visible(agent)} cannot be used: ${found.reason}. ${capital(found.advice)}.${instead}`,
  );
}

export const bestAgent = (inspected: readonly InspectedAgent[]): string | undefined =>
  inspected.find(({ inspection }) => inspection.kind === 'installed')?.agent;

function refuseAll(inspected: readonly InspectedAgent[]): never {
  const own = inspected.find(({ agent }) => agent === 'builtin')?.inspection;
  const why = own?.kind === 'unusable' ? `, and the built-in one cannot be used: ${own.reason}` : '';
  const advice = own?.kind === 'unusable' ? own.advice : `install ${PROGRAM_TITLES.join(' or ')}`;
  throw new CliError(`no agent can work here: none is installed${why}. ${capital(advice)}.`);
}

const PROGRAM_TITLES = AGENTS.filter(({ program }) => program !== undefined).map(({ title }) => title);

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
