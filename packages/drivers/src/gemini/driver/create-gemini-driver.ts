import type { AgentDriver } from '@devs/core';
import { createAgentWatch } from '../../driving/create-agent-watch.js';
import type { DriverOptions } from '../../driving/driver-options.js';
import { inspectProgram } from '../../driving/inspect-program.js';
import { geminiProbe } from './gemini-probe.js';
import { GEMINI_INPUT } from './gemini-screen.js';
import { launchGemini } from './launch-gemini.js';

/** Gemini CLI: how `gemini` is started, typed into and watched. Its ACP mode is not used: loading a conversation destroys it. */
export function createGeminiDriver({ clock, everyMs }: DriverOptions): AgentDriver {
  return {
    agent: 'gemini',
    inspect: (place) =>
      inspectProgram(place, {
        name: 'gemini',
        triedVersions: ['0.61.0'],
        reliesOn: 'where its chat file is not understood, its title and screen are used',
        install: 'install it with: npm install -g @google/gemini-cli',
      }),
    launch: launchGemini,
    input: GEMINI_INPUT,
    // An Enter within 40 ms of the drawn paste is a new line (measured, 0.61.0).
    typing: { enterAfterMs: 150 },
    commands: { compact: '/compress', clear: '/clear', exit: '/quit' },
    interruptKeys: '\u001b',
    watch: (request) => createAgentWatch(geminiProbe(request, { clock }), request, { clock, everyMs }),
  };
}
