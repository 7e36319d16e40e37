import { type CallToolResult, Client, type Tool, type Transport } from '@modelcontextprotocol/client';

/** One MCP server, started again where it was lost. */
export interface ToolConnection {
  readonly server: string;
  readonly tools: readonly Tool[];
  /**
   * Rejects where the server is lost and the call cannot be repeated without harm, and with the signal's reason. A call that
   * takes longer than the limit rejects with the SDK's error, which `isTimeout` knows.
   */
  call(name: string, input: Readonly<Record<string, unknown>>, options: CallOptions): Promise<CallToolResult>;
  close(): Promise<void>;
}

interface CallOptions {
  readonly signal: AbortSignal;
  readonly timeLimitMs: number;
  /** Calling twice does no more than calling once. */
  readonly isRepeatable: boolean;
}

/** The tool server was lost, and the outcome of the call is unknown. */
export class ToolServerLostError extends Error {
  override readonly name = 'ToolServerLostError';
}

export async function connectTools(server: string, openTransport: () => Promise<Transport>): Promise<ToolConnection> {
  let client: Client | undefined;
  const connect = async (): Promise<Client> => {
    if (client !== undefined) return client;
    const opened = new Client({ name: 'devs-agent', version: '1' });
    opened.onclose = () => {
      if (client === opened) client = undefined;
    };
    await opened.connect(await openTransport());
    client = opened;
    return opened;
  };
  const { tools } = await (await connect()).listTools();
  return {
    server,
    tools,
    async call(name, input, { signal, timeLimitMs, isRepeatable }) {
      const request = { name, arguments: { ...input } };
      const options = { signal, timeout: timeLimitMs, maxTotalTimeout: timeLimitMs };
      for (let tries = 1; ; tries++) {
        const connected = await connect();
        try {
          return await connected.callTool(request, options);
        } catch (error) {
          const isLost = client !== connected;
          if (!isLost || signal.aborted) throw error;
          if (!isRepeatable || tries >= MAX_TRIES)
            throw new ToolServerLostError(`${server}: ${String(error)}`, { cause: error });
        }
      }
    },
    async close() {
      const closing = client;
      client = undefined;
      await closing?.close();
    },
  };
}

const MAX_TRIES = 5;
