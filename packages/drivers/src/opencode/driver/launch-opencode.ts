import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { AgentSettings, LaunchPlan, LaunchRequest } from '@devs/core';
import { cleanEnvironment } from '../../driving/clean-environment.js';
import { type ArgumentPart, lastValue, parseArguments, tokensOf } from '../../driving/parse-arguments.js';
import { objectIn, parseObject } from '../../reading/json.js';
import { FOR_FIRST_LAUNCH, isOneOff, OPENCODE_SYNTAX, withoutOptions } from './opencode-arguments.js';
import { serverFile } from './opencode-server.js';

/**
 * The command line for one conversation: the TUI, with its HTTP server on loopback. A first prompt goes over that server, since
 * every user can read a command line.
 */
export async function launchOpencode(request: LaunchRequest): Promise<LaunchPlan> {
  const command = request.command ?? 'opencode';
  const env = cleanEnvironment(request.env);
  const user = parseArguments(request.userArgs, OPENCODE_SYNTAX);
  if (isOneOff(user)) {
    return { command, args: request.userArgs, env, privateFiles: [], manner: 'one-off', notes: [] };
  }
  const { kind, id } = request.conversation;
  const isFirst = kind === 'first';
  const kept = applySettings(isFirst ? user : withoutOptions(user, FOR_FIRST_LAUNCH), request.settings ?? {});
  const port = Number(lastValue(kept, '--port')) || (await freePort());
  const password = randomBytes(24).toString('base64url');
  const config = configuration(request, env.OPENCODE_CONFIG_CONTENT);
  const named = isFirst ? lastValue(user, '-s', '--session') : kind === 'resume' ? id : undefined;
  return {
    command,
    args: [
      ...tokensOf(withoutOptions(kept, ['--port'])),
      ...['--port', String(port)],
      ...(lastValue(kept, '--hostname') === undefined ? ['--hostname', '127.0.0.1'] : []),
      ...(kind === 'resume' ? ['--session', id] : []),
    ],
    env: {
      ...env,
      OPENCODE_SERVER_USERNAME: 'opencode',
      OPENCODE_SERVER_PASSWORD: password,
      ...(config.text === undefined ? {} : { OPENCODE_CONFIG_CONTENT: config.text }),
      ...(request.unattended === true ? { OPENCODE_DISABLE_AUTOUPDATE: '1' } : {}),
    },
    ...(named === undefined ? {} : { conversationId: named }),
    privateFiles: [
      { path: serverFile(request.privateFolder), text: JSON.stringify({ port, password }) },
      ...(request.systemPrompt === undefined
        ? []
        : [{ path: instructionsFile(request), text: `${request.systemPrompt}\n` }]),
    ],
    manner: 'conversation',
    notes: [
      ...config.notes,
      ...(request.hooks === undefined ? [] : ['opencode has no hooks: it is watched over its own server']),
    ],
  };
}

const instructionsFile = ({ privateFolder }: LaunchRequest) => join(privateFolder, 'instructions.md');

/** Merged by opencode over the user's own files. What they gave in the same variable is kept. */
function configuration(request: LaunchRequest, given: string | undefined) {
  const { mcpServers = {}, systemPrompt, unattended } = request;
  const servers = Object.entries(mcpServers).map(([name, { command, args, env = {} }]) => [
    name,
    { type: 'local', command: [command, ...args], environment: env, enabled: true },
  ]);
  const ours = {
    ...(servers.length === 0 ? {} : { mcp: Object.fromEntries(servers) }),
    ...(systemPrompt === undefined ? {} : { instructions: [instructionsFile(request)] }),
    // A question of its own has an answer only from a person who sees the screen: the model is told to do without.
    ...(unattended === true ? { permission: { question: 'deny' } } : {}),
  };
  if (Object.keys(ours).length === 0) return { text: given, notes: [] };
  const theirs = given === undefined || given === '' ? {} : parseObject(given);
  if (theirs === undefined) {
    const notes = ['OPENCODE_CONFIG_CONTENT is not plain JSON, and was left as it is: opencode has no tools of devs'];
    return { text: given, notes };
  }
  return { text: JSON.stringify(merge(theirs, ours)), notes: [] };
}

function merge(theirs: Readonly<Record<string, unknown>>, ours: Readonly<Record<string, unknown>>): object {
  const merged: Record<string, unknown> = { ...theirs };
  for (const [name, value] of Object.entries(ours)) {
    const before = merged[name];
    if (Array.isArray(before) && Array.isArray(value)) merged[name] = [...before, ...value];
    else if (name === 'permission' && typeof before === 'string') merged[name] = { '*': before, ...objectIn(value) };
    else merged[name] = { ...objectIn(before), ...objectIn(value) };
    if (before === undefined) merged[name] = value;
  }
  return merged;
}

/** As last observed: `permissionMode` is opencode's agent, such as `build` or `plan`. */
function applySettings(
  parts: readonly ArgumentPart[],
  { model, permissionMode }: AgentSettings,
): readonly ArgumentPart[] {
  const set = (name: string, value: string): ArgumentPart => ({
    kind: 'option',
    name,
    values: [value],
    tokens: [name, value],
  });
  const ofModel = model === undefined ? parts : [...withoutOptions(parts, ['-m', '--model']), set('--model', model)];
  if (permissionMode === undefined) return ofModel;
  return [...withoutOptions(ofModel, ['--agent']), set('--agent', permissionMode)];
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const probe = createServer();
    probe.once('error', failed);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      probe.close(() => done(port));
    });
  });
}
