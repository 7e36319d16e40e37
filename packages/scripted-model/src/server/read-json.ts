import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Body } from '../apis/api-format.js';
import { isObject } from '../apis/untyped.js';

const MAX_BYTES = 64 * 1024 * 1024;

export type ReadBody =
  | { readonly kind: 'body'; readonly body: Body /** Not compressed. */; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string };

/** The body of a request; an expected mistake is a value. */
export async function readJson(request: IncomingMessage): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return refused(413, 'The request is over 64 MB.');
    chunks.push(chunk);
  }
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity' && encoding !== 'gzip') return refused(415, `The encoding ${encoding} is not known.`);
  if (bytes === 0) return { kind: 'body', body: {}, bytes: Buffer.from('{}') };
  try {
    const sent = Buffer.concat(chunks);
    const plain = encoding === 'gzip' ? gunzipSync(sent, { maxOutputLength: MAX_BYTES }) : sent;
    const body: unknown = JSON.parse(plain.toString('utf8'));
    return isObject(body) ? { kind: 'body', body, bytes: plain } : refused(400, 'The request is not a JSON object.');
  } catch {
    return refused(400, 'The request is not JSON.');
  }
}

const refused = (status: number, message: string): ReadBody => ({ kind: 'refused', status, message });
