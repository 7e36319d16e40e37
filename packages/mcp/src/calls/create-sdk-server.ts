import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { ToolTable } from '../listing/tool-table.js';
import type { McpLogger } from '../logger.js';
import type { Tool } from '../tool.js';
import { createAfterAnswerJobs } from './after-answer-jobs.js';
import { answerCall, type CheckedAnswers } from './answer-call.js';
import type { Lane } from './create-lane.js';
import type { WatchedTransport } from './watch-answers.js';

interface SdkServerOptions<Context> {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: ToolTable<Context>;
  readonly context: Context;
  readonly logger: McpLogger;
  readonly lane: Lane;
  readonly checked: CheckedAnswers;
  readonly transport: WatchedTransport;
  readonly isRefusing: () => boolean;
  onListed?(): void;
}

/** The SDK's server for one connection. It knows the protocol; the table defines the tools. */
export function createSdkServer<Context>(options: SdkServerOptions<Context>): Server {
  const { name, version, instructions, tools, lane, isRefusing } = options;
  const server = new Server(
    { name, version },
    { capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) },
  );
  server.setRequestHandler('tools/list', () => {
    options.onListed?.();
    return { tools: tools.list() };
  });
  server.setRequestHandler('tools/call', ({ params }, { mcpReq: { id, signal } }) => {
    const tool = tools.find(params.name);
    if (tool === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, tools.describeMissing(params.name));
    return new Promise<CallToolResult>((answer) => {
      lane.enter(async () => {
        if (signal.aborted || isRefusing()) return; // The SDK would drop the answer.
        await callAndFollowUp({ tool, id, signal, rawArguments: params.arguments, answer }, options);
      });
    });
  });
  return server;
}

interface Call<Context> {
  readonly tool: Tool<Context>;
  readonly id: string | number;
  readonly signal: AbortSignal;
  readonly rawArguments: unknown;
  readonly answer: (result: CallToolResult) => void;
}

/** Never rejects. Resolves after the answer when the call asked for jobs, and then when they are done. */
async function callAndFollowUp<Context>(
  { tool, id, signal, rawArguments, answer }: Call<Context>,
  { context, logger, transport, checked }: SdkServerOptions<Context>,
): Promise<void> {
  const jobs = createAfterAnswerJobs({ tool: tool.name, logger });
  const call = { context, signal, afterAnswer: jobs.add };
  const result = await answerCall({ tool, rawArguments, call, logger, checked });
  if (jobs.isEmpty() || result.isError === true) {
    jobs.drop();
    answer(result);
    return;
  }
  const delivered = transport.delivered(id, signal);
  answer(result);
  if (await delivered) await jobs.run();
  else jobs.drop();
}
