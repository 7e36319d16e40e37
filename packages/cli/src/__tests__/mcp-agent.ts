import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioClientTransport1 } from '@modelcontextprotocol/sdk/client/stdio.js';

/** Loop, ralph, compact and clear, a retried step, and an abandoned task with its dependents. */
export const WORKFLOW = `
name: journey
description: A workflow with everything
loops:
  build:
    - { id: code, context: compact, instructions: "Code {task.title}" }
    - { id: verify, instructions: "Verify {task.title}", on_fail: retry }
    - { id: tidy, instructions: Tidy, on_fail: skip }
steps:
  - { id: plan, type: action, instructions: Plan }
  - { id: build, type: loop }
  - { id: refine, type: ralph, n: 2, context: compact, instructions: Refine }
  - { id: review, type: action, context: clear, instructions: Review }
`;

const TASKS = [
  { id: 'b', title: 'Second', depends_on: ['a'] },
  { id: 'a', title: 'First' },
  { id: 'c', title: 'Third', depends_on: ['b'] },
];

export type Answer = Readonly<Record<string, unknown>>;

export interface Request {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export const FIRST: Request = { name: 'workflow_start', arguments: { summary: 'Everything' } };

/** The next call of an obedient agent; `undefined` when the workflow is over. */
export function nextRequest({
  contextAction,
  status,
  stepType,
  task,
  subStep,
  retry,
  position,
}: Answer): Request | undefined {
  if (contextAction !== undefined) return { name: 'workflow_status', arguments: {} };
  if (status !== 'running') return undefined;
  if (stepType === 'loop' && task === undefined)
    return { name: 'workflow_set_tasks', arguments: { loopId: 'build', tasks: TASKS } };
  const isSecond = (task as { id: string } | undefined)?.id === 'b';
  const isFailing = (subStep === 'verify' && retry === undefined) || (subStep === 'tidy' && isSecond);
  if (isFailing) return { name: 'workflow_fail', arguments: { reason: 'not yet', position } };
  return { name: 'workflow_advance', arguments: { output: 'done', position } };
}

export interface Connection {
  /** Rejects when the server dies before it has answered. */
  call(request: Request): Promise<Answer>;
  listTools(): Promise<unknown>;
  readonly pid: number;
  close(): Promise<void>;
}

const devs = fileURLToPath(new URL('../../bin/devs.mjs', import.meta.url));
const info = { name: 'test', version: '0' };

/** `devs mcp` as an agent starts it. */
export async function connectDevs(
  args: readonly string[],
  version: '1.x' | '2.x' = '2.x',
  env?: Record<string, string>,
): Promise<Connection> {
  const command = {
    command: process.execPath,
    args: [devs, 'mcp', ...args],
    stderr: 'ignore',
    ...(env === undefined ? {} : { env }),
  } as const;
  const parameters = { ...command, args: [...command.args] };
  if (version === '1.x') {
    const [client, transport] = [new Client1(info), new StdioClientTransport1(parameters)];
    await client.connect(transport as never);
    return connectionOf(client, transport.pid);
  }
  const [client, transport] = [new Client(info), new StdioClientTransport(parameters)];
  await client.connect(transport);
  return connectionOf(client, transport.pid);
}

function connectionOf(
  client: { callTool(request: never): Promise<unknown>; listTools(): Promise<unknown>; close(): Promise<void> },
  pid: number | null,
): Connection {
  return {
    pid: pid ?? 0,
    async call(request) {
      const result = (await client.callTool(request as never)) as {
        content: { text: string }[];
        structuredContent?: Answer;
      };
      const answer = JSON.parse(result.content[0]?.text ?? '') as Answer;
      if (result.structuredContent !== undefined && JSON.stringify(result.structuredContent) !== JSON.stringify(answer))
        throw new Error('the text and the structured content differ');
      return answer;
    },
    listTools: () => client.listTools(),
    close: () => client.close(),
  };
}

/** The answers of a whole workflow. */
export async function runThrough(
  { call }: Pick<Connection, 'call'>,
  first: Request = FIRST,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let request: Request | undefined = first; request !== undefined; ) {
    const answer = await call(request);
    if (answer['error'] !== undefined) throw new Error(JSON.stringify({ request, answer }));
    answers.push(answer);
    request = nextRequest(answer);
  }
  return answers;
}
