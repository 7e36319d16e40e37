import { ModelCallError } from './model-call-error.js';

/** In bytes. The SDKs keep a line, and the body of an error, in memory until its end. */
export interface AnswerBounds {
  readonly lineBytes: number;
  readonly answerBytes: number;
  readonly errorBytes: number;
}

const MB = 1_048_576;

/** Far more than a model writes, and little enough to be searched again with every piece that arrives. */
const BOUNDS: AnswerBounds = { lineBytes: MB, answerBytes: 64 * MB, errorBytes: 65_536 };

/** `fetch`, but a server that never stops sending is not listened to for ever. An error's body is cut, an answer fails. */
export function createBoundedFetch(bounds: AnswerBounds = BOUNDS, request: typeof fetch = fetch): typeof fetch {
  return async (input, init) => {
    const response = await request(input, init);
    if (response.body === null) return response;
    const { status, statusText, headers } = response;
    const body = response.body.pipeThrough(response.ok ? boundAnswer(bounds) : cutAfter(bounds.errorBytes));
    return new Response(body, { status, statusText, headers });
  };
}

const LINE_FEED = 0x0a;

function boundAnswer({ lineBytes, answerBytes }: AnswerBounds): TransformStream<Uint8Array, Uint8Array> {
  let [line, answer] = [0, 0];
  return new TransformStream({
    transform(piece, controller) {
      answer += piece.length;
      if (answer > answerBytes) throw tooLong('an answer', answerBytes);
      const first = piece.indexOf(LINE_FEED);
      // Lines that lie within one piece are as long as the piece at most, which is in memory already.
      if (line + (first === -1 ? piece.length : first) > lineBytes) throw tooLong('a line', lineBytes);
      line = first === -1 ? line + piece.length : piece.length - piece.lastIndexOf(LINE_FEED) - 1;
      controller.enqueue(piece);
    },
  });
}

function cutAfter(most: number): TransformStream<Uint8Array, Uint8Array> {
  let left = most;
  return new TransformStream({
    transform(piece, controller) {
      controller.enqueue(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) controller.terminate();
    },
  });
}

const tooLong = (what: string, most: number) =>
  new ModelCallError(`the model server sent ${what} of more than ${Math.ceil(most / MB)} MB`, {});
