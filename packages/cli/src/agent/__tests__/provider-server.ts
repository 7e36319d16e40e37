import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface ProviderScript {
  /** What its list of models names. Default: it has no list. */
  readonly models?: readonly string[];
  /** What it answers to every call. */
  readonly says?: string;
  readonly refuses?: { readonly status: number; readonly message: string };
}

export interface ProviderServer {
  readonly url: string;
  /** `GET /v1/models`, `POST /v1/messages m`, …: in order, with the model that was asked for. */
  readonly calls: readonly string[];
  readonly keys: readonly (string | undefined)[];
}

/** A small server on loopback that speaks as much of both providers' APIs as the built-in agent needs. */
export async function startProvider({ models, says = '', refuses }: ProviderScript): Promise<ProviderServer> {
  const calls: string[] = [];
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const { model } = JSON.parse((await bodyOf(request)) || '{}') as { model?: string };
    const path = request.url?.split('?')[0] ?? '';
    calls.push([request.method, path, model].filter((part) => part !== undefined).join(' '));
    keys.push([request.headers['x-api-key'], request.headers.authorization].flat().find((key) => key !== undefined));
    const reply = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (refuses !== undefined) {
      return reply(refuses.status, { type: 'error', error: { type: 'error', message: refuses.message } });
    }
    if (path === '/v1/models') {
      return models === undefined
        ? reply(404, { error: { message: 'no list here' } })
        : reply(200, { object: 'list', data: models.map((id) => ({ id, object: 'model' })), has_more: false });
    }
    const events = path === '/v1/messages' ? messageEvents(says) : chatEvents(says);
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls, keys };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  return body;
}

const event = (type: string, value: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`;

const messageEvents = (text: string) =>
  event('message_start', { message: { usage: { input_tokens: 1, output_tokens: 0 } } }) +
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }) +
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }) +
  event('message_stop', {});

const chatEvents = (text: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
