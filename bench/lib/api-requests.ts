import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { connectSupervisor } from '@devs/server/client';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { type ApiWorld, STATUS } from './api-world.js';

const ROUNDS = 15;
const REQUESTS = 400;
const BAR = 1.5;

/** One request after another over a Unix socket, next to a bare Hono handler that gives the same answer. */
export async function compareRequests(world: ApiWorld): Promise<void> {
  const bare = await serveBare(join(world.folder, 'bare.sock'));
  const token = await tokenOf(world);
  const ours = {
    socketPath: world.socketPath,
    headers: { authorization: `Bearer ${token}` },
    agent: new Agent({ keepAlive: true }),
  };
  const peer = { socketPath: bare.socketPath, headers: {}, agent: new Agent({ keepAlive: true }) };
  const rounds: { ours: number; peer: number }[] = [];
  await timeRequests(ours);
  await timeRequests(peer);
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ ours: await timeRequests(ours), peer: await timeRequests(peer) });
  ours.agent.destroy();
  peer.agent.destroy();
  bare.close();
  const ratio = median(rounds.map((round) => round.ours / round.peer));
  console.log(
    `bare Hono handler              ${(median(rounds.map((round) => round.peer)) * 1_000).toFixed(0).padStart(5)} µs`,
  );
  console.log(
    `status.get with a capability   ${(median(rounds.map((round) => round.ours)) * 1_000).toFixed(0).padStart(5)} µs  ${ratio.toFixed(2)}×  (bar ${BAR}×: ${ratio <= BAR ? 'met' : 'NOT MET'})`,
  );
}

async function serveBare(socketPath: string) {
  const app = new Hono();
  app.get('/v1/status', (context) => context.json(STATUS));
  const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return { socketPath, close: () => server.close() };
}

/** A capability, as any command of the user gets it. */
export async function tokenOf({ socketPath }: ApiWorld): Promise<string> {
  const { meetChallenge } = await import('@devs/terminals/admission');
  const { dirname } = await import('node:path');
  const client = await connectSupervisor(socketPath);
  client?.close();
  const { challenge } = (await ask({ socketPath, headers: {}, agent: false }, 'POST', '/v1/hello', '{}')) as {
    challenge: string;
  };
  const proof = meetChallenge(dirname(socketPath), challenge);
  const body = JSON.stringify({ challenge, pid: process.pid });
  const { token } = (await ask({ socketPath, headers: {}, agent: false }, 'POST', '/v1/prove', body)) as {
    token: string;
  };
  proof.close();
  return token;
}

interface Way {
  readonly socketPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent | false;
}

/** Milliseconds for one. */
async function timeRequests(way: Way): Promise<number> {
  const started = performance.now();
  for (let count = 0; count < REQUESTS; count++) await ask(way, 'GET', '/v1/status');
  return (performance.now() - started) / REQUESTS;
}

const ask = (way: Way, method: string, path: string, body?: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const sent = request({ ...way, method, path }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve(JSON.parse(text)));
    });
    sent.on('error', reject);
    sent.end(body);
  });

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
