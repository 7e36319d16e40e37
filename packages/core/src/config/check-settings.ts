import { costByPrice } from '../run/cost-by-price.js';
import { didYouMean } from '../yaml/did-you-mean.js';
import { excerpt } from '../yaml/excerpt.js';
import type { SettingSources, SettingsProblem } from './read-settings.js';
import type { Settings } from './settings.js';

/** Picks an installed agent. */
const AUTO = 'auto';

/** Contradictions between settings. */
export function checkSettings(
  settings: Settings,
  sources: SettingSources,
  startable: readonly string[],
): readonly SettingsProblem[] {
  const known = [AUTO, ...startable];
  return [
    ...checkAgent(settings, sources, known),
    ...checkNames(settings, sources, known),
    ...checkMoney(settings, sources),
    ...checkMarks(settings, sources),
  ];
}

function checkAgent({ agent, agents }: Settings, sources: SettingSources, names: readonly string[]): SettingsProblem[] {
  const known = [...names, ...Object.keys(agents)];
  if (known.includes(agent)) return [];
  const hint = didYouMean(agent, known) ?? `known agents: ${known.join(', ')}; add others under 'agents'`;
  return [{ ...at('agent', sources), message: `agent '${excerpt(agent)}' is not known`, hint }];
}

function checkNames({ agents }: Settings, sources: SettingSources, known: readonly string[]): SettingsProblem[] {
  return Object.keys(agents)
    .filter((name) => known.includes(name))
    .map((name) => ({
      ...at(`agents.${name}`, sources),
      message: `'${name}' is the name of an agent that devs knows already`,
      hint: 'choose another name',
    }));
}

/** A limit that nothing could keep would be worse than none. */
function checkMoney(settings: Settings, sources: SettingSources): SettingsProblem[] {
  const { budget } = settings;
  if (costByPrice(budget.price) !== undefined || statesCost(settings)) return [];
  const limits = [
    ...(budget.usd === undefined ? [] : ['budget.usd']),
    ...(budget.day.usd === undefined ? [] : ['budget.day.usd']),
  ];
  return limits.map((path) => ({
    ...at(path, sources),
    message: `${path} cannot be kept: what your model costs is not known`,
    hint: 'say it in US dollars for a million tokens, as budget.price.input and budget.price.output; or limit tokens',
  }));
}

/** Agents that say what they cost, in the way that they are driven. */
const statesCost = ({ agent, transport }: Settings): boolean =>
  agent === 'opencode' || (agent === 'claude' && transport === 'stream');

function checkMarks({ pressure: { soft, firm } }: Settings, sources: SettingSources): SettingsProblem[] {
  return (['share', 'tokens'] as const)
    .filter((what) => soft[what] > firm[what])
    .map((what) => {
      const said = [`pressure.soft.${what}`, `pressure.firm.${what}`].find((path) => sources.has(path));
      return {
        ...at(said ?? '', sources),
        message: `pressure.soft.${what} (${soft[what]}) must not be above pressure.firm.${what} (${firm[what]})`,
      };
    });
}

const at = (path: string, sources: SettingSources) => sources.get(path) ?? { where: 'default' };
