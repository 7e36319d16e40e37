import type {
  AgentDriver,
  AgentEvent,
  AgentWatch,
  Clock,
  GenericAgentConfig,
  LaunchPlan,
  LaunchRequest,
  ScreenView,
  WatchRequest,
} from '@devs/core';
import { cleanEnvironment } from '../driving/clean-environment.js';
import { fitPrompt } from '../driving/fit-prompt.js';
import { inspectProgram } from '../driving/inspect-program.js';
import { type GenericPatterns, genericPatterns, readGenericScreen } from './generic-screen.js';

/** Any agent, as its user describes it. It is watched by its screen only, and its pressure is never known. */
export function createGenericDriver(config: GenericAgentConfig, { clock }: { readonly clock: Clock }): AgentDriver {
  const patterns = genericPatterns(config);
  const { name, exit, compact, clear } = config;
  const [program = ''] = config.command;
  return {
    agent: name,
    inspect: (place) =>
      inspectProgram(
        { ...place, command: place.command ?? program },
        {
          name,
          versionArgs: config.version,
          triedVersions: [],
          reliesOn: 'only its screen is watched, and how full its context is cannot be known',
          install: `install ${program}, or change its entry in the configuration`,
        },
      ),
    launch: async (request) => launchGeneric(config, request),
    input: patterns.input,
    commands: {
      exit,
      ...(compact === undefined ? {} : { compact }),
      ...(clear === undefined ? {} : { clear }),
    },
    watch: (request) => watchGeneric(patterns, request, clock),
  };
}

function launchGeneric(config: GenericAgentConfig, request: LaunchRequest): LaunchPlan {
  const { conversation, systemPrompt, firstPrompt } = request;
  const { kind, id } = conversation;
  const [program = '', ...args] = config.command;
  const opens = (kind === 'resume' ? config.resume : config.conversation)?.map((arg) => arg.replaceAll('{id}', id));
  const wanted = [systemPrompt, firstPrompt].filter((text) => text !== undefined).join('\n\n');
  const prompt = fitPrompt(wanted, request);
  const takesPrompt = config.promptArgument && prompt.text !== undefined;
  return {
    command: request.command ?? program,
    args: [...args, ...(opens ?? []), ...request.userArgs, ...(takesPrompt ? [prompt.text ?? ''] : [])],
    env: cleanEnvironment(request.env),
    ...(opens === undefined ? {} : { conversationId: id }),
    privateFiles: takesPrompt ? prompt.files : [],
    manner: 'conversation',
    notes: [
      ...(kind === 'resume' && opens === undefined ? [`${config.name} cannot open a conversation again`] : []),
      ...(prompt.text !== undefined && !takesPrompt ? ['the first prompt has to be typed'] : []),
      ...(request.hooks !== undefined || request.mcpServers !== undefined
        ? [`${config.name} is given no hooks and no MCP servers`]
        : []),
    ],
  };
}

function watchGeneric(patterns: GenericPatterns, request: WatchRequest, clock: Clock): AgentWatch {
  let closed = false;
  let last = '';
  let wasBusy = false;
  const emit = (event: AgentEvent) => {
    if (!closed) request.onEvent(event);
  };
  const close = () => {
    closed = true;
    request.signal?.removeEventListener('abort', close);
  };
  if (request.signal?.aborted) close();
  else request.signal?.addEventListener('abort', close, { once: true });
  return {
    seeScreen(view: ScreenView) {
      const { says, detail } = readGenericScreen(view, patterns);
      if (`${says} ${detail}` !== last) emit({ type: 'signal.seen', source: 'screen', says, detail, at: clock.now() });
      last = `${says} ${detail}`;
      if (wasBusy && says === 'idle') emit({ type: 'turn.ended', at: clock.now(), isPast: false });
      if (says === 'busy' || says === 'idle') wasBusy = says === 'busy';
    },
    seeHook() {},
    look: async () => {},
    close,
  };
}
