import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'libsql';

const TABLES = `
  CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, version TEXT NOT NULL,
    time_updated INTEGER NOT NULL, time_archived INTEGER);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);`;

const MODEL = { providerID: 'scripted', modelID: 'scripted-1' };
const PASSWORD = 'of this launch';

interface Json {
  readonly [name: string]: unknown;
}

/** Acts like the server of an opencode 1.18.33 process: the same requests, events and records, as far as devs uses them. */
export async function startOpencodeDouble(databaseFile: string) {
  const database = new Database(databaseFile);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(TABLES);
  const listeners = new Set<ServerResponse>();
  const busy = new Set<string>();
  const asked = new Map<string, { readonly session: string; readonly request: Json }>();
  const heard: string[] = [];
  const calls: string[] = [];
  let done = 0;
  let number = 0;
  let failure: Json | undefined;

  let heldBack: string[] | undefined;

  const tell = (type: string, properties: Json) => {
    const text = `data: ${JSON.stringify({ id: 'evt_1', type, properties })}\n\n`;
    if (heldBack !== undefined) return void heldBack.push(text);
    for (const listener of listeners) listener.write(text);
  };
  const newId = (kind: string) => `${kind}_${String(++number).padStart(6, '0')}`;
  const write = (session: string, id: string, data: Json) => {
    const at = Date.now();
    database
      .prepare('INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?)')
      .run(id, session, at, at, JSON.stringify(data));
    tell('message.updated', { sessionID: session, info: { id, ...data } });
  };
  const writePart = (session: string, message: string, data: Json) => {
    const at = Date.now();
    database
      .prepare('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)')
      .run(newId('prt'), message, session, at, at, JSON.stringify(data));
  };
  const settle = (session: string, more: Json) => {
    const tokens = { total: 1_234, input: 1_200, output: 34, reasoning: 0, cache: { read: 0, write: 0 } };
    const time = { created: Date.now(), completed: Date.now() };
    write(session, newId('msg'), { role: 'assistant', ...MODEL, cost: 0.01, tokens, time, finish: 'stop', ...more });
    busy.delete(session);
    tell('session.status', { sessionID: session, status: { type: 'idle' } });
    tell('session.idle', { sessionID: session });
  };
  const begin = (session: string) => {
    busy.add(session);
    tell('session.status', { sessionID: session, status: { type: 'busy' } });
  };
  const prompt = (session: string, text: string) => {
    begin(session);
    heard.push(text);
    if (failure !== undefined) return settle(session, { error: failure, tokens: undefined });
    if (text.includes('[[ask]]')) {
      const request = { id: newId('per'), sessionID: session, permission: 'bash', patterns: ['make deploy'] };
      asked.set(request.id, { session, request: { ...request, metadata: { command: 'make deploy' }, always: [] } });
      tell('permission.asked', request);
    } else if (!text.includes('[[endless]]')) settle(session, {});
  };
  const reply = (id: string, { reply: choice, message }: Json) => {
    const permission = asked.get(id);
    if (permission === undefined) return 404;
    asked.delete(id);
    tell('permission.replied', { sessionID: permission.session, requestID: id, reply: choice });
    if (!busy.has(permission.session)) return 200; // left over
    if (choice !== 'reject') done += 1;
    else if (typeof message === 'string') heard.push(message);
    settle(permission.session, {});
    return 200;
  };
  const abort = (session: string) => {
    if (!busy.has(session)) return; // what it asked for is listed after it, too
    settle(session, { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } }, tokens: undefined });
  };
  const open = () => {
    const id = newId('ses');
    database.prepare('INSERT INTO session VALUES (?, NULL, ?, ?, ?, NULL)').run(id, '/project', '1.18.33', Date.now());
    tell('session.created', { sessionID: id, info: { id } });
    return { id };
  };

  /** What a request is answered with: a status, or a value. */
  const answer = (method: string, path: string, body: Json): number | object => {
    const [, kind, id = '', what] = path.split('/');
    if (path === '/global/health') return { healthy: true };
    if (path === '/session/status') return Object.fromEntries([...busy].map((one) => [one, { type: 'busy' }]));
    if (path === '/permission') return [...asked.values()].map(({ request }) => request);
    if (path === '/config/providers')
      return { providers: [{ id: 'scripted', models: { 'scripted-1': { limit: { context: 200_000 } } } }] };
    if (kind === 'permission') return reply(id, body);
    if (path === '/session' && method === 'POST') return open();
    if (what === undefined && kind === 'session') return { id, model: { id: 'scripted-1', providerID: 'scripted' } };
    if (what === 'abort') abort(id);
    if (what === 'summarize') settle(id, { summary: true });
    if (what === 'prompt_async') {
      const message = newId('msg');
      const part = (body.parts as readonly Json[])[0] as Json;
      write(id, message, { role: 'user', time: { created: Date.now() }, agent: 'build', model: MODEL });
      writePart(id, message, part);
      setImmediate(() => prompt(id, String(part.text)));
      return 204;
    }
    return {};
  };

  const server = createServer(async (request: IncomingMessage, response) => {
    const { method = '', url = '' } = request;
    const given = Buffer.from(request.headers.authorization?.split(' ')[1] ?? '', 'base64').toString();
    if (given !== `opencode:${PASSWORD}`) return void response.writeHead(401).end();
    if (url === '/event') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"type":"server.connected","properties":{}}\n\n');
      listeners.add(response);
      return void response.on('close', () => listeners.delete(response));
    }
    let text = '';
    for await (const piece of request) text += piece;
    calls.push(`${method} ${url}`);
    const answered = answer(method, url, text === '' ? {} : (JSON.parse(text) as Json));
    if (typeof answered === 'number') response.writeHead(answered).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    server: { port: (server.address() as AddressInfo).port, password: PASSWORD },
    heard: (): readonly string[] => heard,
    done: () => done,
    calls: (): readonly string[] => calls,
    /** What a person does in the TUI. */
    pressInTui: {
      interrupt: () => [...busy].forEach(abort),
      allow: () => [...asked.keys()].map((id) => reply(id, { reply: 'once' })),
      open,
    },
    /** A turn that is under way takes its next step. */
    step() {
      for (const session of busy) tell('session.status', { sessionID: session, status: { type: 'busy' } });
    },
    failWith(error: Json) {
      failure = error;
    },
    /** What it tells from now on comes late. */
    holdBack() {
      heldBack = [];
    },
    /** What was held back comes now. */
    release() {
      const texts = heldBack ?? [];
      heldBack = undefined;
      for (const listener of listeners) listener.write(texts.join(''));
    },
    /** All that hear it are cut off. */
    drop() {
      for (const listener of listeners) listener.destroy();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      database.close();
    },
  };
}
