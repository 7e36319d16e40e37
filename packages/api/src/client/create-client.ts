import { ApiError } from '../api-error.js';
import { type Input, OPERATIONS, type OperationName, type Output } from '../operations/operations.js';
import { parseRoute, placeInput } from '../operations/route.js';
import { Problem } from '../problem.js';

/** The part of `fetch` that a client needs: over loopback it is `fetch` itself, over a Unix socket a few lines of node:http. */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface TransportAnswer {
  readonly status: number;
  readonly text: string;
}

export interface ApiClient {
  /** Rejects with an `ApiError` where it is refused, and with the transport's error where the server cannot be reached. */
  call<Name extends OperationName>(name: Name, input: Input<Name>, options?: CallOptions): Promise<Output<Name>>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface ClientDeps {
  readonly transport: Transport;
  /** Asked for before each call: a capability may be another one after a restart of the supervisor. */
  token(): string | undefined;
}

export function createClient({ transport, token }: ClientDeps): ApiClient {
  return {
    async call(name, input, { signal } = {}) {
      const operation = OPERATIONS[name];
      const route = parseRoute(operation.route);
      const { path, query, body } = placeInput(route, input as Readonly<Record<string, unknown>>);
      const held = token();
      const answer = await transport({
        method: route.method,
        path: `${path}${query}`,
        headers: {
          ...(held === undefined ? {} : { authorization: `Bearer ${held}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      });
      const value = parseJson(answer.text);
      if (answer.status !== 200) throw problemOf(answer.status, value);
      const parsed = operation.output.safeParse(value);
      if (!parsed.success)
        throw new ApiError('failed', `the answer to ${name} is not what this version of devs expects`);
      return parsed.data as never;
    },
  };
}

function problemOf(status: number, value: unknown): ApiError {
  const problem = Problem.safeParse(value);
  if (problem.success) return new ApiError(problem.data.code, problem.data.message);
  return new ApiError('failed', `the supervisor answered with status ${status}`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
