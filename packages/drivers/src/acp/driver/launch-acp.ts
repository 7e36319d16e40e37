import { join } from 'node:path';
import type { AcpAgentConfig, LaunchPlan, LaunchRequest, PrivateFile } from '@devs/core';
import { cleanEnvironment } from '../../driving/clean-environment.js';
import { compactionOf } from '../known-acp-agents.js';

/** A file of one launch, with the option that names it. */
interface OptionFile extends PrivateFile {
  readonly option: string;
}

/**
 * The command line of the program of devs that holds the agent. Which conversations an agent opens again is not known of any: an
 * agent that ended is followed by a fresh one with a handoff.
 */
export function launchAcp(program: readonly string[], config: AcpAgentConfig, request: LaunchRequest): LaunchPlan {
  const [command = 'devs', ...first] = program;
  const { kind, id } = request.conversation;
  const [agent = '', ...agentArgs] = config.acp;
  const compact = compactionOf(config);
  const files = privateFiles(request);
  return {
    command,
    args: [
      ...first,
      ...['--name', config.name, '--conversation', id],
      ...(compact === undefined ? [] : ['--compact', compact]),
      ...files.flatMap(({ option, path }) => [option, path]),
      ...request.userArgs,
      ...['--', request.command ?? agent, ...agentArgs],
    ],
    env: cleanEnvironment(request.env),
    ...(kind === 'resume' ? {} : { conversationId: id }),
    privateFiles: files.map(({ option: _, ...file }) => file),
    manner: 'conversation',
    notes: kind === 'resume' ? [`${config.name} cannot open a conversation again`] : [],
  };
}

/** Other users can read a command line, which has little room, and the environment of a server may hold a secret. */
function privateFiles({ systemPrompt, firstPrompt, mcpServers, privateFolder }: LaunchRequest): readonly OptionFile[] {
  const file = (option: string, name: string, text: string) => ({ option, path: join(privateFolder, name), text });
  return [
    ...(firstPrompt === undefined
      ? []
      : [{ ...file('--prompt-file', 'first-prompt.md', firstPrompt), isOnce: true } as const]),
    ...(systemPrompt === undefined ? [] : [file('--system-prompt-file', 'system-prompt.md', systemPrompt)]),
    ...(mcpServers === undefined ? [] : [file('--mcp-config', 'mcp.json', JSON.stringify({ mcpServers }))]),
  ];
}
