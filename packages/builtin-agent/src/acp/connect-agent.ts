import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import {
  type ClientConnection,
  client,
  type InitializeResponse,
  methods,
  type NewSessionResponse,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type StopReason,
} from '@agentclientprotocol/sdk';
import { type McpServer, messageOf } from '@devs/core';
import { AgentError } from '../session/agent-error.js';
import type { AcpSetup } from './acp-setup.js';

/** An agent process that was shaken hands with. */
export interface ConnectedAgent {
  /** As the agent calls itself. */
  readonly title: string;
  /** A session without history, by the agent's id of it. */
  newSession(): Promise<string>;
  /** Resolves when the turn has ended; rejects with what the agent says is wrong. */
  prompt(session: string, text: string): Promise<StopReason>;
  cancel(session: string): Promise<void>;
  /** Resolves when the process has ended, with what it said last. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

export interface AgentEars {
  onUpdate(update: SessionUpdate): void;
  onPermission(request: RequestPermissionRequest): Promise<RequestPermissionResponse>;
}

const END_MS = 3_000;
const MAX_STDERR = 4_000;

/** Starts the agent's program and shakes hands. Rejects with an `AgentError` where that cannot be done. */
export async function connectAgent(setup: AcpSetup, ears: AgentEars): Promise<ConnectedAgent> {
  const [command = '', ...args] = setup.command;
  const child = spawn(command, args, {
    cwd: setup.folder,
    env: { ...setup.user.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-MAX_STDERR);
  });
  child.stdin.on('error', () => {}); // the connection says so
  const ended = endOf(child, () => stderr.trim());
  const connection = client({ name: 'devs' })
    .onNotification(methods.client.session.update, ({ params }) => ears.onUpdate(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => ears.onPermission(params))
    .connect(
      ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  const gone = ended.then((why): never => {
    throw new AgentError(`${command} ended: ${why}`);
  });
  gone.catch(() => {}); // the waiting request rejects with it, also where its streams close a moment before
  const ask = <Answer>(asked: Promise<Answer>): Promise<Answer> =>
    Promise.race([asked.catch((error: unknown) => (connection.signal.aborted ? gone : Promise.reject(error))), gone]);
  const close = () => endAgent(child, connection, ended);
  try {
    const greeted = await ask<InitializeResponse>(connection.agent.request(methods.agent.initialize, hello(setup)));
    return {
      title: [greeted.agentInfo?.title ?? greeted.agentInfo?.name ?? setup.name, greeted.agentInfo?.version]
        .filter((part) => part !== undefined && part !== '')
        .join(' '),
      async newSession() {
        const mcpServers = Object.entries(setup.servers).map(([name, server]) => asAcp(name, server));
        const request = { cwd: setup.folder, mcpServers };
        return (await ask<NewSessionResponse>(connection.agent.request(methods.agent.session.new, request))).sessionId;
      },
      async prompt(sessionId, text) {
        const request = { sessionId, prompt: [{ type: 'text' as const, text }] };
        return (await ask<PromptResponse>(connection.agent.request(methods.agent.session.prompt, request))).stopReason;
      },
      cancel: (sessionId) => connection.agent.notify(methods.agent.session.cancel, { sessionId }),
      ended,
      close,
    };
  } catch (error) {
    await close();
    if (error instanceof AgentError) throw error;
    throw new AgentError(`${command} does not speak ACP: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** Agents use tools of their own: devs offers neither files nor terminals. */
const hello = ({ version }: AcpSetup) => ({
  protocolVersion: PROTOCOL_VERSION,
  clientInfo: { name: 'devs', version },
  clientCapabilities: {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    session: { compaction: {}, notices: {} },
  },
});

const asAcp = (name: string, { command, args, env = {} }: McpServer) => ({
  name,
  command,
  args: [...args],
  env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
});

function endOf(child: ChildProcess, lastWords: () => string): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(lastWords() || `with ${signal ?? `code ${code}`}`));
  });
}

/** By the end of its input, which most understand; then by signals. */
async function endAgent(child: ChildProcess, connection: ClientConnection, ended: Promise<string>): Promise<void> {
  connection.close();
  child.stdin?.end();
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const softly = setTimeout(() => child.kill('SIGTERM'), END_MS / 10);
  const firmly = setTimeout(() => child.kill('SIGKILL'), END_MS);
  await ended;
  clearTimeout(softly);
  clearTimeout(firmly);
}
