import { type JsonValue, messageOf } from '@devs/core';
import type { ObservationStatus } from '@devs/drivers';
import { type CallToolResult, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { boundText } from './bound-text.js';
import { EXIT_CODE_FIELD, STATUS_FIELD } from './serve-file-tools.js';
import { type ToolConnection, ToolServerLostError } from './tool-connection.js';

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly server: string;
  readonly isReadOnly: boolean;
  /** It takes a `position`, with which repeating the call is harmless. */
  readonly takesPosition: boolean;
}

/** Observation of one call. */
export interface Observed {
  readonly status: ObservationStatus;
  readonly output: JsonValue;
  readonly errorDetail?: string;
  readonly exitCode?: number;
}

export interface ToolBox {
  readonly tools: readonly OfferedTool[];
  find(name: string): OfferedTool | undefined;
  /** Never rejects, but with the signal's reason. */
  call(name: string, input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Observed>;
  close(): Promise<void>;
}

export interface ToolLimits {
  readonly mostOutputChars: number;
  readonly timeLimitMs: number;
}

/** Slightly above the tools' own limit: a tool that ends its command reports more than a timeout here. */
const SLACK_MS = 5_000;

/** All tools of all servers by their plain names; where two have the same, the later server's is `server__tool`. */
export function createToolBox(connections: readonly ToolConnection[], limits: ToolLimits): ToolBox {
  const table = new Map<string, { offered: OfferedTool; plainName: string; connection: ToolConnection }>();
  for (const connection of connections) {
    for (const { name: plainName, description = '', inputSchema, annotations } of connection.tools) {
      const name = table.has(plainName) ? `${connection.server}__${plainName}` : plainName;
      const isReadOnly = annotations?.readOnlyHint === true;
      const takesPosition = inputSchema.properties?.position !== undefined;
      const offered = { name, description, inputSchema, server: connection.server, isReadOnly, takesPosition };
      table.set(name, { offered, plainName, connection });
    }
  }
  return {
    tools: [...table.values()].map(({ offered }) => offered),
    find: (name) => table.get(name)?.offered,
    async call(name, input, signal) {
      const found = table.get(name);
      if (found === undefined) return missing(name, [...table.keys()]);
      const { offered, plainName, connection } = found;
      const isRepeatable = offered.isReadOnly || (offered.takesPosition && input.position !== undefined);
      const options = { signal, timeLimitMs: limits.timeLimitMs + SLACK_MS, isRepeatable };
      try {
        return observedOf(await connection.call(plainName, input, options), limits);
      } catch (error) {
        if (signal.aborted) throw error;
        return failed(error, limits);
      }
    },
    async close() {
      await Promise.all(connections.map((connection) => connection.close().catch(() => {})));
    },
  };
}

const missing = (name: string, names: readonly string[]): Observed => ({
  status: 'error',
  output: '',
  errorDetail: `there is no tool ${name}; there are ${[...names, 'end_turn'].join(', ')}`,
});

function observedOf(result: CallToolResult, { mostOutputChars }: ToolLimits): Observed {
  const told = result._meta?.[STATUS_FIELD];
  const exitCode = result._meta?.[EXIT_CODE_FIELD];
  const status = told === 'TIMEOUT_EXCEEDED' ? told : result.isError === true ? 'error' : 'ok';
  const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const [errorDetail, ...rest] = status === 'ok' ? [undefined, ...texts] : texts;
  return {
    status,
    output: outputOf(result, rest.join('\n'), mostOutputChars),
    ...(errorDetail === undefined ? {} : { errorDetail: boundText(errorDetail, mostOutputChars) }),
    ...(typeof exitCode === 'number' ? { exitCode } : {}),
  };
}

/** The structured content, if there is any and it fits. */
function outputOf({ structuredContent, isError }: CallToolResult, text: string, most: number): JsonValue {
  if (structuredContent === undefined || isError === true) return boundText(text, most);
  const json = JSON.stringify(structuredContent);
  return json.length <= most ? (structuredContent as JsonValue) : boundText(json, most);
}

// REQ: 3_MCP-TAS-073
function failed(error: unknown, { timeLimitMs }: ToolLimits): Observed {
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return { status: 'TIMEOUT_EXCEEDED', output: '', errorDetail: `no answer within ${timeLimitMs} ms` };
  }
  const reason = messageOf(error);
  const isLost = error instanceof ToolServerLostError;
  const advice = isLost ? '. It may have been done or not: look before you call it again' : '';
  return { status: 'error', output: '', errorDetail: `${reason}${advice}` };
}
