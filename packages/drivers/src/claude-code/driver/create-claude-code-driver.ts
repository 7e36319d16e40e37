import type { AgentDriver } from '@devs/core';
import { createAgentWatch } from '../../driving/create-agent-watch.js';
import type { DriverOptions } from '../../driving/driver-options.js';
import { inspectProgram } from '../../driving/inspect-program.js';
import { claudeEyes } from './claude-eyes.js';
import { CLAUDE_INPUT } from './claude-screen.js';
import { launchClaude } from './launch-claude.js';

/** Claude Code: how `claude` is started, typed into and watched. */
export function createClaudeCodeDriver({ clock, everyMs }: DriverOptions): AgentDriver {
  return {
    agent: 'claude',
    inspect: (place) =>
      inspectProgram(place, {
        name: 'claude',
        triedVersions: ['2.1.325'],
        reliesOn: 'where its status file is not understood, its transcript, title and screen are used',
        install: 'install it with: npm install -g @anthropic-ai/claude-code',
      }),
    launch: launchClaude,
    input: CLAUDE_INPUT,
    commands: { compact: '/compact', clear: '/clear', exit: '/exit' },
    watch: (request) => createAgentWatch(claudeEyes(request), request, { clock, everyMs }),
  };
}
