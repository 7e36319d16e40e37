import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from '@modelcontextprotocol/server';

export type ParsedMessage =
  | { readonly message: JSONRPCMessage }
  | { readonly refused: { readonly code: number; readonly reason: string; readonly id?: string | number } };

/** One line of the input as a message, or why it is none. Pure. */
export function parseMessage(line: string): ParsedMessage {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return { refused: { code: ProtocolErrorCode.ParseError, reason: 'a line is not JSON' } };
  }
  try {
    return { message: parseJSONRPCMessage(json) };
  } catch {
    const reason = 'a line is not a message of JSON-RPC 2.0';
    return { refused: { code: ProtocolErrorCode.InvalidRequest, reason, ...idOf(json) } };
  }
}

function idOf(json: unknown): { readonly id?: string | number } {
  const id: unknown = typeof json === 'object' && json !== null && 'id' in json ? json.id : undefined;
  return typeof id === 'string' || typeof id === 'number' ? { id } : {};
}
