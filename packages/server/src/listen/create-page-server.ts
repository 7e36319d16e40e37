import type { Server } from 'node:http';
import { ApiError } from '@devs/api';
import type { Capabilities } from '../admission/create-capabilities.js';
import type { Handlers } from '../served-supervisor.js';
import { createHttpServer, type HttpDeps } from './create-http-server.js';
import { createLoopbackGuard } from './guard-loopback.js';
import { type LoopbackPlace, listenLoopback } from './listen-loopback.js';

export interface PageServerDeps extends Pick<HttpDeps, 'limits' | 'upgrade'> {
  readonly capabilities: Pick<Capabilities, 'makeLink'>;
  /** Missing: the page is served only on request. */
  readonly keptIn: string | undefined;
  app(makeLink: Handlers['links.make']): HttpDeps['app'];
  onListening(server: Server): void;
}

/** The way in of the page, which is opened once: when it is asked for, or with the first link. */
export interface PageServer {
  listen(place: LoopbackPlace): Promise<number>;
  readonly makeLink: Handlers['links.make'];
}

export function createPageServer(deps: PageServerDeps): PageServer {
  let port: number | undefined;
  let opening: Promise<number> | undefined;
  const open = async ({ keptIn, port: wanted }: LoopbackPlace): Promise<number> => {
    const server = createHttpServer({
      ...deps,
      app: deps.app(makeLink),
      refuses: createLoopbackGuard(() => port),
    });
    port = await listenLoopback(server, { keptIn, wanted });
    deps.onListening(server);
    return port;
  };
  const listen = (place: LoopbackPlace): Promise<number> => {
    opening ??= open(place).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const makeLink: Handlers['links.make'] = async ({ scope = 'owner', port: wanted }) => {
    const { keptIn } = deps;
    if (opening === undefined && keptIn === undefined)
      throw new ApiError('conflict', 'the page is not served; start it with `devs ui`');
    const served = await (opening ?? listen({ keptIn: keptIn ?? '', port: wanted })).catch(explain);
    if (wanted !== undefined && wanted !== served)
      throw new ApiError('conflict', `the page is served on port ${served}; stop it with \`devs down\` first`);
    const { key, until } = deps.capabilities.makeLink(scope);
    return { url: `http://127.0.0.1:${served}/#k=${key}`, until };
  };
  return { listen, makeLink };
}

function explain(error: NodeJS.ErrnoException): never {
  if (error.code === 'EADDRINUSE') throw new ApiError('conflict', 'another program listens on this port');
  if (error.code === 'EACCES') throw new ApiError('conflict', 'this port is not for programs of yours');
  throw error;
}
