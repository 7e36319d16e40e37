import type { AgentDriver } from '@devs/core';
import { createAgentWatch } from '../../driving/create-agent-watch.js';
import { createTerminalChannel } from '../../driving/create-terminal-channel.js';
import type { DriverOptions } from '../../driving/driver-options.js';
import { inspectProgram } from '../../driving/inspect-program.js';
import { claudeProbe, streamProbe } from './claude-probe.js';
import { CLAUDE_INPUT } from './claude-screen.js';
import { isHeldBy, whyRefused } from './hold-by-stream.js';
import { launchClaude } from './launch-claude.js';

export interface ClaudeCodeDriverOptions extends DriverOptions {
  /** What starts the program of devs that holds it by stream-json: `[node, devs.mjs, 'stream-json']`. Without it, it is typed into. */
  readonly holder?: readonly string[];
}

/** Claude Code: how `claude` is started, talked to or typed into, and watched. */
export function createClaudeCodeDriver({ clock, everyMs, holder }: ClaudeCodeDriverOptions): AgentDriver {
  const isHeld = (program: string | undefined) => holder !== undefined && isHeldBy(holder, program);
  return {
    agent: 'claude',
    inspect: (place) =>
      inspectProgram(place, {
        name: 'claude',
        triedVersions: ['2.1.325'],
        reliesOn: 'where its status file is not understood, its transcript, title and screen are used',
        install: 'install it with: npm install -g @anthropic-ai/claude-code',
      }),
    launch: (request) => launchClaude(request, holder),
    input: CLAUDE_INPUT,
    commands: { compact: '/compact', clear: '/clear', exit: '/exit' },
    interruptKeys: '\u001b',
    watch: (request) =>
      createAgentWatch(isHeld(request.program) ? streamProbe(request) : claudeProbe(request), request, {
        clock,
        everyMs,
      }),
    channel(request) {
      if (isHeld(request.program)) return createTerminalChannel(request, new Set());
      const why = request.privateFolder === undefined ? undefined : whyRefused(request.privateFolder);
      if (why === undefined) return undefined;
      const detail = `devs types into the screen of Claude Code: ${why}`;
      request.onEvent?.({ type: 'channel.failed', detail, at: clock.now(), isPast: false });
      return undefined;
    },
  };
}
