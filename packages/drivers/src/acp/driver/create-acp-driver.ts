import type { AcpAgentConfig, AgentDriver } from '@devs/core';
import { builtinProbe } from '../../builtin/driver/builtin-probe.js';
import { BUILTIN_INPUT } from '../../builtin/driver/builtin-screen.js';
import { createAgentWatch } from '../../driving/create-agent-watch.js';
import { createTerminalChannel } from '../../driving/create-terminal-channel.js';
import type { DriverOptions } from '../../driving/driver-options.js';
import { findProgram } from '../../driving/inspect-program.js';
import { acpUser } from '../acp-places.js';
import { compactionOf } from '../known-acp-agents.js';
import { launchAcp } from './launch-acp.js';

export interface AcpDriverOptions extends DriverOptions {
  /** What starts the program of devs that holds the agent: `[node, devs.mjs, 'acp']`. Only `devs` itself knows. */
  readonly command: readonly string[];
}

/**
 * Any agent that speaks the Agent Client Protocol. A program of devs holds it in a terminal: that writes down what the agent says and
 * does, shows it, and takes requests over the channel.
 */
export function createAcpDriver(config: AcpAgentConfig, { clock, everyMs, command }: AcpDriverOptions): AgentDriver {
  const [program = ''] = config.acp;
  const compact = compactionOf(config);
  const unsupported = new Set([...(compact === undefined ? (['compact'] as const) : []), 'usage'] as const);
  return {
    agent: config.name,
    transcripts: 'acp',
    async inspect(place) {
      const found = await findProgram(place.command ?? program, place);
      return found === undefined
        ? {
            kind: 'unusable',
            reason: `${place.command ?? program} was not found`,
            advice: `install it, or change agents.${config.name} in the configuration`,
          }
        : { kind: 'installed', command: found, version: 'ACP', tried: true };
    },
    launch: async (request) => launchAcp(command, config, request),
    input: BUILTIN_INPUT,
    commands: { clear: '/clear', exit: '/exit', ...(compact === undefined ? {} : { compact: '/compact' }) },
    watch: (request) => createAgentWatch(builtinProbe(acpUser(request)), request, { clock, everyMs }),
    channel: (request) => createTerminalChannel(request, unsupported),
  };
}
