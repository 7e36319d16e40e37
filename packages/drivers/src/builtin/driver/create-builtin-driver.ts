import type { AgentDriver } from '@devs/core';
import { createAgentWatch } from '../../driving/create-agent-watch.js';
import type { DriverOptions } from '../../driving/driver-options.js';
import { builtinProbe } from './builtin-probe.js';
import { BUILTIN_INPUT } from './builtin-screen.js';
import { launchBuiltin } from './launch-builtin.js';

export interface BuiltinDriverOptions extends DriverOptions {
  /** What starts the agent: `[node, devs.mjs, 'agent']`. Only `devs` itself knows. */
  readonly command: readonly string[];
  readonly version: string;
}

/** The agent that comes with devs: how it is started, typed into and watched. It is always there. */
export function createBuiltinDriver({ clock, everyMs, command, version }: BuiltinDriverOptions): AgentDriver {
  return {
    agent: 'builtin',
    inspect: async () => ({ kind: 'installed', command: command.join(' '), version, tried: true }),
    launch: async (request) => launchBuiltin(command, request),
    input: BUILTIN_INPUT,
    commands: { compact: '/compact', clear: '/clear', exit: '/exit' },
    interruptKeys: '\u0003',
    watch: (request) => createAgentWatch(builtinProbe(request), request, { clock, everyMs }),
  };
}
