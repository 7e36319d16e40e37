import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveBothEras } from '@modelcontextprotocol/server/stdio';
import type { CheckedAnswers } from './calls/answer-call.js';
import { createLane } from './calls/create-lane.js';
import { createSdkServer } from './calls/create-sdk-server.js';
import { watchAnswers } from './calls/watch-answers.js';
import { createToolTable } from './listing/tool-table.js';
import { type McpLogger, stderrLogger } from './logger.js';
import type { Tool } from './tool.js';

export interface ToolServerOptions<Context> {
  readonly name: string;
  readonly version: string;
  /** Guidance for the agent before it uses the tools; clients put it into the agent's prompt. */
  readonly instructions?: string;
  readonly tools: readonly Tool<Context>[];
  readonly context: Context;
  /** A client has asked for the list of the tools. Must not throw. */
  onListed?(): void;
  /** Lines of JSON on stderr when not given. */
  readonly logger?: McpLogger;
}

export interface ToolServer {
  readonly logger: McpLogger;
  /** Serves one client. Calls run one at a time, in order of arrival, across all clients of the server. */
  connect(transport: Transport): ToolConnection;
}

export interface ToolConnection {
  /** Calls that have not begun will not. */
  refuseFurtherCalls(): void;
  /** Resolves when every call that has arrived is answered and its jobs are done; calls that arrive meanwhile count. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A server that answers `tools/list` and `tools/call` from a table, to clients of MCP up to 2025-11-25 and of 2026-07-28. */
export function createToolServer<Context>(options: ToolServerOptions<Context>): ToolServer {
  const logger = options.logger ?? stderrLogger;
  const tools = createToolTable(options.tools);
  const lane = createLane();
  const checked: CheckedAnswers = new WeakMap();
  return {
    logger,
    connect(wire) {
      const transport = watchAnswers(wire);
      let refusing = false;
      const isRefusing = () => refusing;
      // The SDK asks for a server twice when a client probes for the newer protocol and then falls back.
      const handle = serveBothEras(
        () => createSdkServer({ ...options, tools, logger, lane, checked, transport, isRefusing }),
        {
          transport,
          onerror: (error) => logger.log({ event: 'CONNECTION_TROUBLE', error: error.message }),
        },
      );
      return {
        refuseFurtherCalls() {
          refusing = true;
        },
        async settled() {
          // Requests reach the lane, and answers the transport, a few microtasks later.
          for (let seen = -1; seen !== transport.messageCount; ) {
            seen = transport.messageCount;
            await nextTurn();
            await lane.idle();
            await transport.flushed();
          }
        },
        close: () => handle.close(),
      };
    },
  };
}
