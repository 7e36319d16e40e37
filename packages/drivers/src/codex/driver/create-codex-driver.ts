import type { AgentDriver, LaunchPlan, LaunchRequest } from '@devs/core';
import { createAgentWatch } from '../../driving/create-agent-watch.js';
import type { DriverOptions } from '../../driving/driver-options.js';
import { inspectProgram } from '../../driving/inspect-program.js';
import { channelFiles, isHeld } from '../channel/channel-files.js';
import { createCodexChannel } from '../channel/create-codex-channel.js';
import { launchCodexChannel } from '../channel/launch-codex-channel.js';
import { codexProbe } from './codex-probe.js';
import { CODEX_INPUT, CODEX_REFUSAL } from './codex-screen.js';
import { launchCodex } from './launch-codex.js';

export interface CodexDriverOptions extends DriverOptions {
  /**
   * What starts the program of devs that holds the app server: `[node, devs.mjs, 'codex-server']`. Without it Codex is typed into.
   */
  readonly holder?: readonly string[] | undefined;
}

/** Codex: how `codex` is started, talked to and watched. */
export function createCodexDriver({ clock, everyMs, holder }: CodexDriverOptions): AgentDriver {
  return {
    agent: 'codex',
    inspect: (place) =>
      inspectProgram(place, {
        name: 'codex',
        triedVersions: ['0.166.0'],
        reliesOn: 'where its rollout is not understood, its title and screen are used',
        install: 'install it with: npm install -g @openai/codex',
      }),
    async launch(request) {
      const { unattended, transport = 'terminal' } = request;
      if (holder === undefined || unattended !== true || transport === 'terminal') return typed(request, holder);
      const plan = await launchCodexChannel(holder, request);
      if (plan !== undefined) return plan;
      const screen = await typed(request, holder);
      return screen.manner === 'one-off' ? screen : { ...screen, notes: [...screen.notes, TYPED] };
    },
    input: CODEX_INPUT,
    refusal: CODEX_REFUSAL,
    // Not `/new`: in a git repository that asks in which work tree.
    commands: { compact: '/compact', clear: '/clear', exit: '/quit' },
    interruptKeys: '\u001b',
    watch: (request) => createAgentWatch(codexProbe(request), request, { clock, everyMs }),
    channel({ privateFolder, onEvent, ...request }) {
      if (privateFolder === undefined || onEvent === undefined || !isHeld(privateFolder)) return undefined;
      return createCodexChannel({ ...request, privateFolder, onEvent }, { clock });
    },
  };
}

const TYPED =
  'devs types into the screen of Codex: its app server does not say how it is configured, or an option of yours is for the screen alone';

/** What an earlier process of the terminal was started with says nothing about this one. */
async function typed(request: LaunchRequest, holder: CodexDriverOptions['holder']): Promise<LaunchPlan> {
  const plan = await launchCodex(request);
  if (holder === undefined) return plan;
  const { launch: path } = channelFiles(request.privateFolder);
  return { ...plan, privateFiles: [...plan.privateFiles, { path, text: '{}' }] };
}
