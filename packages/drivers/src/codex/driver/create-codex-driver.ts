import type { AgentDriver } from '@devs/core';
import { createAgentWatch } from '../../driving/create-agent-watch.js';
import type { DriverOptions } from '../../driving/driver-options.js';
import { inspectProgram } from '../../driving/inspect-program.js';
import { codexEyes } from './codex-eyes.js';
import { CODEX_INPUT, CODEX_REFUSAL } from './codex-screen.js';
import { launchCodex } from './launch-codex.js';

/** Codex: how `codex` is started, typed into and watched. */
export function createCodexDriver({ clock, everyMs }: DriverOptions): AgentDriver {
  return {
    agent: 'codex',
    inspect: (place) =>
      inspectProgram(place, {
        name: 'codex',
        triedVersions: ['0.166.0'],
        reliesOn: 'where its rollout is not understood, its title and screen are used',
        install: 'install it with: npm install -g @openai/codex',
      }),
    launch: (request) => launchCodex(request),
    input: CODEX_INPUT,
    refusal: CODEX_REFUSAL,
    // Not `/new`: in a git repository that asks in which work tree.
    commands: { compact: '/compact', clear: '/clear', exit: '/quit' },
    watch: (request) => createAgentWatch(codexEyes(request), request, { clock, everyMs }),
  };
}
