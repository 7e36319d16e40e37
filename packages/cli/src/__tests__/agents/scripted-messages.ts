import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

/** A request to the model, as the agent sent it. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export interface ScriptedMessages {
  readonly url: string;
  /** Requests for an answer, in order, including requests for a summary. */
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

export const SUMMARY = 'SUMMARY-OF-THE-MODEL: something was done about the widgets.';
const ASKS_FOR_SUMMARY = 'Your task is to create a detailed summary';
const DIRECTIVE = /\[\[tool (\w+) (\{.*?\})\]\]/g;

/**
 * Speaks as much of the Messages API as Claude Code needs, on loopback. What the model does is written in the prompt:
 * `[[tool Bash {"command":"…"}]]`, any number of them, one in each answer; then it says that it is done.
 */
export async function startScriptedMessages(): Promise<ScriptedMessages> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response, requests).catch((error: unknown) => {
      response.writeHead(400).end(String(error)); // a 500 would be tried again for minutes
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(incoming: IncomingMessage, response: ServerResponse, requests: ModelRequest[]): Promise<void> {
  const body = await textOf(incoming);
  const path = incoming.url ?? '';
  if (!path.startsWith('/v1/messages') || path.includes('count_tokens')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":100}');
    return;
  }
  const request = JSON.parse(body) as ModelRequest;
  requests.push(request);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of eventsOf(request, `msg_${requests.length}`)) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

function eventsOf(request: ModelRequest, id: string): readonly StreamEvent[] {
  const step = nextStep(request);
  const usage = { input_tokens: 2_000, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 20 };
  const message = {
    id,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [],
    stop_reason: null,
    usage,
  };
  const block =
    step.kind === 'say'
      ? { start: { type: 'text', text: '' }, delta: { type: 'text_delta', text: step.text } }
      : {
          start: { type: 'tool_use', id: `toolu_${id}`, name: step.tool, input: {} },
          delta: { type: 'input_json_delta', partial_json: step.input },
        };
  const stop_reason = step.kind === 'say' ? 'end_turn' : 'tool_use';
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block.start },
    { type: 'content_block_delta', index: 0, delta: block.delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ];
}

type Step =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly input: string };

/** As many directives are done as there are results behind them. */
function nextStep({ messages }: ModelRequest): Step {
  const users = messages.filter(({ role }) => role === 'user').map(({ content }) => plainText(content));
  if (users.at(-1)?.includes(ASKS_FOR_SUMMARY)) return { kind: 'say', text: `<summary>${SUMMARY}</summary>` };
  const last = messages.findLastIndex(({ role, content }) => role === 'user' && plainText(content).includes('[[tool '));
  const prompt = messages[last];
  if (prompt === undefined) return { kind: 'say', text: 'understood' };
  const wanted = [...plainText(prompt.content).matchAll(DIRECTIVE)];
  const done = messages.slice(last).filter(({ content }) => JSON.stringify(content).includes('"tool_result"')).length;
  const [, tool, input] = wanted[done] ?? [];
  return tool === undefined || input === undefined ? { kind: 'say', text: 'all done' } : { kind: 'call', tool, input };
}

export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: { readonly text?: unknown }) => (typeof part.text === 'string' ? part.text : ''))
    .join('\n');
}
