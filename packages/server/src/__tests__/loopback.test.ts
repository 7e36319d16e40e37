import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createCapabilities } from '../admission/create-capabilities.js';
import { ask, openWorld, storeRun, type World } from './world.js';

let world: World;
let keptIn: string;
let port: number;
beforeEach(async () => {
  world = await openWorld({ limits: { helloMs: 300 } });
  keptIn = mkdtempSync(join(tmpdir(), 'devs-page-'));
  port = await world.server.listenLoopback({ keptIn });
});
afterEach(async () => {
  await world.dispose();
  rmSync(keptIn, { recursive: true });
});

const own = () => ({ host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` });

async function makeKey(scope: 'owner' | 'viewer' = 'owner'): Promise<string> {
  const { url } = await (await world.connect()).call('links.make', { scope });
  return new URL(url).hash.slice('#k='.length);
}

const login = (key: string) =>
  ask({ port }, { method: 'POST', path: '/v1/login', headers: own(), body: JSON.stringify({ key }) });

async function bearer(scope?: 'owner' | 'viewer') {
  const { token } = JSON.parse((await login(await makeKey(scope))).text);
  return { ...own(), authorization: `Bearer ${token}` };
}

describe('the page', () => {
  it('gets a token for the key of a link, once', async () => {
    const key = await makeKey();
    const first = await login(key);

    expect(first.status).toBe(200);
    expect(JSON.parse(first.text)).toMatchObject({ scope: 'owner' });
    expect((await login(key)).status).toBe(401);
  });

  it('asks with its token', async () => {
    await storeRun(world.opened, 'abc');
    const { text } = await ask({ port }, { path: '/v1/runs', headers: await bearer() });

    expect(JSON.parse(text).runs).toHaveLength(1);
  });

  it('of a viewer changes nothing', async () => {
    const headers = await bearer('viewer');

    expect((await ask({ port }, { path: '/v1/status', headers })).status).toBe(200);
    expect((await ask({ port }, { method: 'POST', path: '/v1/runs/abc/stop', headers })).status).toBe(403);
    expect((await ask({ port }, { method: 'POST', path: '/v1/links', headers, body: '{}' })).status).toBe(403);
  });

  it('finds its port again', async () => {
    await world.restart();

    expect(await world.server.listenLoopback({ keptIn })).toBe(port);
    expect(JSON.parse(readFileSync(join(keptIn, 'server.json'), 'utf8'))).toEqual({ port });
    expect(statSync(join(keptIn, 'server.json')).mode & 0o777).toBe(0o600);
  });

  it('gets another port if its own is taken', async () => {
    const other = await openWorld();

    expect(await other.server.listenLoopback({ keptIn })).not.toBe(port);
    await other.dispose();
  });
});

describe('a stranger on the port', () => {
  it.each([
    ['no token', {}, 401],
    ['a wrong token', { authorization: 'Bearer wrong' }, 401],
    ['a cookie', { cookie: 'token=x' }, 401],
    ['a rebound host', { host: 'evil.example' }, 403],
    ['a host without its port', { host: '127.0.0.1' }, 403],
    ['another port', { host: '127.0.0.1:1' }, 403],
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['the origin of another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['no origin to speak of', { origin: 'null' }, 403],
  ])('is refused with %s', async (_, headers, status) => {
    const answer = await ask({ port }, { path: '/v1/status', headers: { ...own(), ...headers } });

    expect(answer.status).toBe(status);
  });

  it('cannot guess a key for long', async () => {
    const tries = await Promise.all(Array.from({ length: 25 }, () => login('guess')));

    expect(tries.filter(({ status }) => status === 401)).toHaveLength(20);
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(5);
  });

  it('finds no door of the socket', async () => {
    expect((await ask({ port }, { method: 'POST', path: '/v1/hello', headers: own() })).status).toBe(404);
    expect((await ask({ port }, { method: 'POST', path: '/v1/prove', headers: own(), body: '{}' })).status).toBe(404);
  });

  it('finds the port on loopback only', async () => {
    const { networkInterfaces } = await import('node:os');
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((found) => found?.internal === false && found.family === 'IPv4');
    if (outside === undefined) return;

    await expect(
      ask({ port }, { path: '/' }).then(() => fetch(`http://${outside.address}:${port}/`)),
    ).rejects.toThrow();
  });

  it.each([
    ['no origin', {}],
    ['another origin', { origin: 'http://evil.example' }],
    ['a rebound host', { host: 'evil.example', origin: 'http://evil.example' }],
  ])('opens no WebSocket with %s', async (_, headers) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, { headers });
    const refused = await new Promise<string>((resolve) => socket.on('error', ({ message }) => resolve(message)));

    expect(refused).toContain('403');
  });

  it('is closed where its WebSocket brings no token', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, { headers: own() });

    expect(await new Promise((resolve) => socket.on('close', resolve))).toBe(4401);
  });
});

describe('an answer', () => {
  it('states what a browser may do with it', async () => {
    const { headers } = await fetch(`http://127.0.0.1:${port}/v1/status`);

    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('capabilities', () => {
  it('end: a link after a minute, a token after a day', () => {
    let now = 0;
    const capabilities = createCapabilities({ now: () => now });
    const { key } = capabilities.makeLink('owner');
    const { token } = capabilities.grant({ scope: 'owner', name: 'test' });
    now = 60_000;
    expect(capabilities.useLink(key)).toBeUndefined();
    expect(capabilities.identify(token)).toMatchObject({ scope: 'owner' });
    now = 24 * 3_600_000;
    expect(capabilities.identify(token)).toBeUndefined();
  });
});
