import { AcpAgentConfig, type OwnAgentConfig } from '../agent-driver/acp-agent-config.js';
import { GenericAgentConfig } from '../agent-driver/generic-agent-config.js';
import type { SettingValues } from './setting-values.js';
import type { Settings } from './settings.js';

/** Converts values read by the table of keys into their types. Only agents are written differently from their use. */
export function toSettings(values: SettingValues): Settings {
  const settings = values as unknown as Settings;
  const written = Object.entries(values.agents as unknown as Readonly<Record<string, WrittenAgent>>);
  return {
    ...settings,
    agents: Object.fromEntries(written.map(([name, agent]) => [name, toAgent(name, agent)])),
  };
}

interface WrittenAgent {
  readonly acp?: readonly string[];
  readonly command?: readonly string[];
  readonly compact?: string;
}

function toAgent(
  name: string,
  { acp, command: [command = '', ...args] = [], ...others }: WrittenAgent,
): OwnAgentConfig {
  if (acp === undefined) return GenericAgentConfig.parse({ ...others, name, command, args });
  return AcpAgentConfig.parse({ name, acp, ...(others.compact === undefined ? {} : { compact: others.compact }) });
}
