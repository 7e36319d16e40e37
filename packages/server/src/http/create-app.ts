import type { IncomingMessage } from 'node:http';
import { ApiError, OPERATIONS, type Operation, type OperationName, PROBLEMS, parseRoute } from '@devs/api';
import { DevsError } from '@devs/core';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import type { Capabilities } from '../admission/create-capabilities.js';
import { type Identity, mayCall } from '../admission/identity.js';
import type { CallContext, Handler, Handlers } from '../served-supervisor.js';
import { readBody } from './read-body.js';

const BODY_BYTES = 256 << 10;

export interface AppDeps {
  /** What can be asked on this way in. */
  readonly handlers: Partial<Handlers>;
  readonly capabilities: Pick<Capabilities, 'identify'>;
  runOf(terminal: string): string | undefined;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** The page, for the way in that has one: its files need no capability. */
  pageFile?(path: string): Promise<PageFile | undefined>;
  /** Hears of everything that was changed, and by whom. */
  onAction(action: Action): void;
  /** Receives bugs: unexpected errors. */
  onBug(error: unknown, operation: string): void;
}

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** A change that a caller made or tried to make. */
export interface Action {
  readonly by: Identity;
  readonly operation: OperationName;
  /** The run, terminal, task, question or setting that it was about. */
  readonly about?: string;
}

type Env = { Bindings: HttpBindings };
export type App = Hono<Env>;

/** The routes of the table, for the given handlers. */
export function createApp(deps: AppDeps): App {
  const app: App = new Hono<Env>();
  for (const name of Object.keys(deps.handlers) as OperationName[]) {
    const { method, path } = parseRoute(OPERATIONS[name].route);
    app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), (context) => answer(context, name, deps));
  }
  const { pageFile } = deps;
  if (pageFile !== undefined) {
    app.get('*', async (context, next) => {
      const file = await pageFile(context.req.path);
      if (file === undefined) return next();
      return context.body(file.bytes, 200, { 'content-type': file.type, ...deps.headers });
    });
  }
  app.notFound((context) => refuse(context, new ApiError('not-found', 'there is no such operation'), deps));
  app.onError((error, context) => refuse(context, error, deps));
  return app;
}

async function answer<Name extends OperationName>(context: Context<Env>, name: Name, deps: AppDeps): Promise<Response> {
  const { incoming, outgoing } = context.env;
  try {
    const identity = identify(name, incoming, deps);
    const input = parseInput(name, await collectInput(context, OPERATIONS[name]));
    if (!mayCall(identity, name, { input, runOf: deps.runOf }))
      throw new ApiError('not-allowed', `${name} is not for this capability (${identity.scope})`);
    if (OPERATIONS[name].scope === 'owner') deps.onAction({ by: identity, operation: name, ...aboutOf(input) });
    const handler = deps.handlers[name] as Handler<Name>;
    const value = await handler(input, contextOf(identity, outgoing));
    return context.body(JSON.stringify(value), 200, { 'content-type': 'application/json', ...deps.headers });
  } catch (error) {
    if (!(error instanceof ApiError) && !(error instanceof DevsError)) deps.onBug(error, name);
    return refuse(context, error, deps);
  }
}

function aboutOf(input: unknown): Pick<Action, 'about'> {
  const { run, terminal, task, question, setting } = input as Readonly<Record<string, unknown>>;
  const about = [run, terminal, task, question, setting].find((named) => typeof named === 'string');
  return typeof about === 'string' ? { about } : {};
}

const NOBODY: Identity = { scope: 'viewer', name: 'nobody yet' };

/** Before anything else of the request is looked at. */
function identify(name: OperationName, request: IncomingMessage, { capabilities }: AppDeps): Identity {
  if (name.startsWith('door.')) return NOBODY;
  const [, token] = /^Bearer ([\w-]{1,200})$/.exec(request.headers.authorization ?? '') ?? [];
  const identity = token === undefined ? undefined : capabilities.identify(token);
  if (identity === undefined) throw new ApiError('no-capability', 'a capability is needed: Authorization: Bearer …');
  return identity;
}

async function collectInput({ req, env }: Context<Env>, { route, bodyBytes = BODY_BYTES }: Operation) {
  const body = route.startsWith('POST') ? await readBody(env.incoming, bodyBytes) : req.query();
  return { ...body, ...req.param() };
}

function parseInput<Name extends OperationName>(name: Name, value: unknown) {
  const parsed = OPERATIONS[name].input.safeParse(value);
  if (parsed.success) return parsed.data as Parameters<Handler<Name>>[0];
  const [issue] = parsed.error.issues;
  throw new ApiError('bad-request', `${name}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is wrong'}`);
}

const contextOf = (identity: Identity, outgoing: HttpBindings['outgoing']): CallContext => ({
  identity,
  get signal() {
    const gone = new AbortController();
    outgoing.once('close', () => gone.abort());
    return gone.signal;
  },
});

function refuse(context: Context<Env>, error: unknown, { headers }: AppDeps): Response {
  const { code, message } = asProblem(error);
  // Does not wait for the rest of a body that is too large.
  const ending = code === 'too-large' ? { connection: 'close' } : {};
  if (code === 'too-large') context.env.outgoing.once('finish', () => context.env.incoming.destroy());
  return context.body(JSON.stringify({ code, message }), PROBLEMS[code], {
    'content-type': 'application/json',
    ...ending,
    ...headers,
  });
}

/** Messages of unexpected errors stay here: they may contain anything. */
function asProblem(error: unknown): Pick<ApiError, 'code' | 'message'> {
  if (error instanceof ApiError) return error;
  if (!(error instanceof DevsError)) return { code: 'failed', message: 'something went wrong in the supervisor' };
  const isInput = error.code === 'STORE_INPUT_INVALID' || error.code === 'WORKFLOW_INPUT_INVALID';
  const isAway = error.code === 'STORE_UNAVAILABLE' || error.code === 'TERMINAL_HOST_UNAVAILABLE';
  return { code: isInput ? 'bad-request' : isAway ? 'unavailable' : 'conflict', message: error.message };
}
