import type { IncomingMessage } from 'node:http';
import { ApiError } from '@devs/api';

/** The JSON object in a request. Rejects a body that is too large without reading all of it. */
export async function readBody(
  request: IncomingMessage,
  mostBytes: number,
): Promise<Readonly<Record<string, unknown>>> {
  const said = Number(request.headers['content-length'] ?? 0);
  if (said > mostBytes) throw tooLarge(mostBytes);
  const bytes = await collect(request, mostBytes);
  return bytes.length === 0 ? {} : parse(bytes.toString('utf8'));
}

/** By its events: who leaves the loop of a stream early destroys it, and its caller would hear nothing. */
const collect = (request: IncomingMessage, mostBytes: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes <= mostBytes) parts.push(part);
      else {
        request.pause();
        reject(tooLarge(mostBytes));
      }
    });
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', reject);
    request.on('close', () => reject(new ApiError('bad-request', 'the body was not sent to its end')));
  });

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // the same answer as for a value that is no object; the error of the parser would repeat the text
  }
  throw new ApiError('bad-request', 'the body must be a JSON object');
}

const tooLarge = (mostBytes: number) => new ApiError('too-large', `the body has more than ${mostBytes} bytes`);
