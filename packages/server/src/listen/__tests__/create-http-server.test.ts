import { describe, expect, it } from 'vitest';
import type { App } from '../../http/create-app.js';
import { createHttpServer } from '../create-http-server.js';
import { LIMITS } from '../limits.js';

describe('the server of the API', () => {
  it('outlives a connection that the machine cannot accept', () => {
    const app = { fetch: () => new Response() } as unknown as App;
    const server = createHttpServer({ app, limits: LIMITS, refuses: () => undefined, upgrade() {} });

    expect(() => server.emit('error', new Error('accept EMFILE'))).not.toThrow();
  });
});
