import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./programs/table-server.mjs', import.meta.url));

/** Where a server writes its journal and finds the gates that a test opens for it. */
export function scratchFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'devs-mcp-'));
  const file = join(folder, 'journal');
  const journal = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);
  return {
    folder,
    journal,
    command: { command: process.execPath, args: [program, folder] },
    openGate: (name: string) => writeFileSync(join(folder, name), ''),
    /** Resolves when the server has written this line. */
    async told(line: string) {
      while (!journal().includes(line)) await pause(2);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** A client that writes lines and reads lines, for what no decent client does. */
export async function startRaw({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
  const child: Child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const write = (line: string) => void child.stdin.write(`${line}\n`);
  const next = async () => JSON.parse((await lines.next()).value) as Message;
  const request = (id: number, method: string, params: object = {}) =>
    write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  const clientInfo = { name: 'raw', version: '0' };
  request(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  await next();
  write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return {
    child,
    write,
    request,
    next,
    call: (id: number, name: string, args: object) => request(id, 'tools/call', { name, arguments: args }),
    /** Remaining output after the server has ended. */
    async rest() {
      const rest: Message[] = [];
      for (let line = await lines.next(); !line.done; line = await lines.next()) rest.push(JSON.parse(line.value));
      return rest;
    },
    ended,
    errors: () => errors,
    [Symbol.asyncDispose]: () => kill(child, ended),
  };
}

async function kill(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}
