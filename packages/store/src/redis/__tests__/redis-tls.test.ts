import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@devs/core/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRedisBackend } from '../create-redis-backend.js';
import { type ScratchRedis, startScratchRedis, useScratchRedis } from './scratch-redis.js';

const plain = useScratchRedis();
let folder: string;
let tls: { readonly server: ScratchRedis; readonly port: number; readonly ca: string } | undefined;

describe('a Redis with TLS', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'devs-tls-'));
    tls = makeCertificate() ? await startWithTls() : undefined;
  });
  beforeEach((context) => {
    if (tls === undefined) context.skip('openssl or a redis-server with TLS is not installed');
  });
  afterAll(async () => {
    await tls?.server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is used when its certificate is trusted', async () => {
    const backend = await openRedisBackend({ url: `rediss://localhost:${tls?.port}`, ca: tls?.ca ?? '' });
    expect(await backend.version('run:a')).toBe(0);
    await backend.close();
  });

  it('is not used when its certificate is not', async () => {
    const opening = openRedisBackend({ url: `rediss://localhost:${tls?.port}` });
    await expect(opening).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/certificate .* not trusted .*NODE_EXTRA_CA_CERTS/),
    });
  });

  it('is reported when it is addressed without', async () => {
    const opening = openRedisBackend({ url: `redis://localhost:${tls?.port}`, openMs: 500 });
    await expect(opening).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('if it uses TLS write rediss://'),
    });
  });

  it('is missed when one without is addressed', async () => {
    const opening = openRedisBackend({ url: `rediss://localhost:${plain().port}`, openMs: 500 });
    await expect(opening).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('write redis:// if it has no'),
    });
  });
});

function makeCertificate(): boolean {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', join(folder, 'key.pem'), '-out', join(folder, 'cert.pem')];
  return (
    spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files])
      .status === 0
  );
}

async function startWithTls() {
  const port = await freePort();
  const cert = join(folder, 'cert.pem');
  const server = await startScratchRedis([
    ...['--tls-port', String(port), '--tls-cert-file', cert, '--tls-key-file', join(folder, 'key.pem')],
    ...['--tls-ca-cert-file', cert, '--tls-auth-clients', 'no'],
  ]).catch(() => undefined);
  return server && { server, port, ca: readFileSync(cert, 'utf8') };
}
