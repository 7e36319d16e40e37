import type { JsonObject } from '@devs/core';
import type { Answer, ModelError } from '../reply/reply.js';
import type { ModelRequest } from '../request/model-request.js';

/**
 * One API that agents speak: requests in, answers out. All pure; `node:http` is in `server/`.
 *
 * To add one: a folder beside these, an entry in `apis.ts`, a name in `ApiName`.
 */
export interface ApiFormat {
  /** Paths of `POST` requests that are calls to the model. */
  readonly paths: readonly (string | RegExp)[];
  readonly parse: (body: Body, headers: Headers, path?: string) => ModelRequest;
  /** The answer piece by piece. Frames stop early where the answer's ending says so. */
  readonly stream: (answer: Answer, wire: Wire) => Iterable<Frame>;
  /** The answer as a whole, for clients that do not stream. */
  readonly whole: (answer: Answer, wire: Wire) => JsonObject;
  readonly error: (error: ModelError, wire: Wire) => JsonObject;
  /** Reports a prompt that is too long within the stream, for APIs that do not use the status. */
  readonly streamOverflow?: (error: ModelError, wire: Wire) => Iterable<Frame>;
}

/** The body of a request: an object of unknown content. */
export type Body = Readonly<Record<string, unknown>>;
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One server-sent event. */
export interface Frame {
  readonly event?: string;
  /** Text that is no JSON is sent as it is. */
  readonly data: JsonObject | string;
  /** A piece of the answer, before which a slow model makes a pause. */
  readonly isPiece?: boolean;
}

export interface Wire {
  readonly request: ModelRequest;
  readonly newId: (prefix: string) => string;
  readonly nowMs: number;
  readonly pieceSize: number;
}
