import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { ask, openWorld } from './world.js';

async function openPageWorld() {
  const keptIn = mkdtempSync(join(tmpdir(), 'devs-page-'));
  const counts: number[] = [];
  const world = await openWorld({
    keptIn,
    onViewers: (count) => counts.push(count),
    pageFile: async (path) => ({ bytes: new TextEncoder().encode(`page for ${path}`), type: 'text/html' }),
  });
  onTestFinished(async () => {
    await world.dispose();
    rmSync(keptIn, { recursive: true });
  });
  return { world, keptIn, counts };
}

async function signIn({ world }: Awaited<ReturnType<typeof openPageWorld>>) {
  const { url } = await (await world.connect()).call('links.make', {});
  const { port, hash } = new URL(url);
  const own = { host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` };
  const login = await ask(
    { port: Number(port) },
    { method: 'POST', path: '/v1/login', headers: own, body: JSON.stringify({ key: hash.slice('#k='.length) }) },
  );
  return { port: Number(port), own, token: String(JSON.parse(login.text).token) };
}

it('is served after the first request for a link, always on the same port', async () => {
  const page = await openPageWorld();
  const { port, own } = await signIn(page);

  expect(await ask({ port }, { path: '/runs/abc', headers: own })).toMatchObject({
    status: 200,
    text: 'page for /runs/abc',
  });
  await page.world.restart();
  expect((await signIn(page)).port).toBe(port);
});

it('refuses a link for another port than its own', async () => {
  const page = await openPageWorld();
  const { port } = await signIn(page);

  await expect((await page.world.connect()).call('links.make', { port: port === 1 ? 2 : 1 })).rejects.toThrow(
    `served on port ${port}`,
  );
});

it('stays signed in when the supervisor is started again, by digests alone', async () => {
  const page = await openPageWorld();
  const { port, own, token } = await signIn(page);
  await page.world.restart();
  await page.world.server.listenLoopback({ keptIn: page.keptIn });

  const headers = { ...own, authorization: `Bearer ${token}` };
  expect((await ask({ port }, { path: '/v1/status', headers })).status).toBe(200);
  expect(readFileSync(join(page.keptIn, 'pages.json'), 'utf8')).not.toContain(token);
});

it('counts those who watch', async () => {
  const page = await openPageWorld();
  const { port, own, token } = await signIn(page);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/live`, { headers: own });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', token })));

  await until(() => page.counts.at(-1) === 1);
  socket.close();
  await until(() => page.counts.at(-1) === 0);
});
