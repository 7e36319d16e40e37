import type { AgentDriver } from '@devs/core';
import { createAgentWatch } from '../../driving/create-agent-watch.js';
import type { DriverOptions } from '../../driving/driver-options.js';
import { inspectProgram } from '../../driving/inspect-program.js';
import { launchOpencode } from './launch-opencode.js';
import { createOpencodeChannel } from './opencode-channel.js';
import { opencodeProbe } from './opencode-probe.js';
import { OpencodeProcess } from './opencode-process.js';
import { OPENCODE_INPUT } from './opencode-screen.js';

/** opencode: how `opencode` is started and watched, and talked to over the server of its TUI. */
export function createOpencodeDriver({ clock, everyMs }: DriverOptions): AgentDriver {
  const processes = new Map<number, OpencodeProcess>();
  /** The watch comes first; a number that is used again belongs to another process. */
  const begin = (pid: number, privateFolder: string | undefined) => {
    const process = new OpencodeProcess(privateFolder);
    processes.set(pid, process);
    return process;
  };
  return {
    agent: 'opencode',
    inspect: (place) =>
      inspectProgram(place, {
        name: 'opencode',
        triedVersions: ['1.18.33'],
        reliesOn: 'where its server is not understood, its screen is used',
        install: 'install it with: npm install -g opencode-ai',
      }),
    launch: launchOpencode,
    input: OPENCODE_INPUT,
    commands: { compact: '/compact', clear: '/new', exit: '/exit' },
    watch: (request) =>
      createAgentWatch(opencodeProbe(request, begin(request.pid, request.privateFolder)), request, { clock, everyMs }),
    channel: ({ pid, privateFolder }) => createOpencodeChannel(processes.get(pid) ?? begin(pid, privateFolder)),
  };
}
