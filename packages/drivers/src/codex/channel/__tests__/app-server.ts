import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type WebSocket, WebSocketServer } from 'ws';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: { readonly decision?: string };
}

export interface AppServerOptions {
  readonly socket: string;
  readonly home: string;
  /** The client dies before the first prompt is answered. */
  readonly isFirstUnanswered?: boolean;
  /** A turn ends while it is being resumed. */
  readonly endsWhileResumed?: boolean;
}

/** A small app server of Codex: as much of the protocol as devs uses, with the rollouts that Codex writes. */
export async function startAppServer({ socket, home, ...options }: AppServerOptions) {
  const heard: string[] = [];
  let threads = 0;
  let done = 0;
  let thread = '';
  let turn: string | undefined;
  let open: number | undefined;
  let last = 0;
  const clients = new Set<WebSocket>();
  const sessions = join(home, '.codex', 'sessions', '2026', '11', '18');
  mkdirSync(sessions, { recursive: true });
  const rollout = () => join(sessions, `rollout-2026-11-18T00-00-00-${thread}.jsonl`);
  const record = (type: string, payload: object) =>
    appendFileSync(rollout(), `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`);
  const tell = (message: object) => {
    for (const client of clients) client.send(JSON.stringify(message));
  };
  const note = (method: string, params: object) => tell({ method, params: { threadId: thread, ...params } });
  const end = (status: 'completed' | 'interrupted') => {
    const id = turn;
    turn = undefined;
    record('event_msg', status === 'completed' ? { type: 'task_complete' } : { type: 'turn_aborted', reason: status });
    note('turn/completed', { turn: { id, status, error: null } });
  };
  const resolve = () => {
    note('serverRequest/resolved', { requestId: open });
    open = undefined;
  };
  const begin = (text: string, clientId: unknown) => {
    turn = randomUUID();
    heard.push(text);
    record('event_msg', { type: 'task_started' });
    record('event_msg', { type: 'user_message', message: text });
    note('turn/started', { turn: { id: turn, status: 'inProgress' } });
    note('item/started', { turnId: turn, item: { type: 'userMessage', id: randomUUID(), clientId } });
    if (text.startsWith('Ask')) {
      open = last++;
      const about = { threadId: thread, turnId: turn, itemId: 'call', command: `/bin/sh -c 'touch made'` };
      tell({ id: open, method: 'item/commandExecution/requestApproval', params: about });
    }
  };
  const usage = { last: { totalTokens: 4_000 }, modelContextWindow: 190_000 };
  const answers: Record<string, (params: Record<string, unknown>) => object> = {
    initialize: () => ({ userAgent: 'codex/0.166.0' }),
    'thread/loaded/list': () => ({ data: [] }),
    'thread/start'() {
      threads += 1;
      thread = randomUUID();
      writeFileSync(rollout(), '');
      record('session_meta', { id: thread, cwd: home, timestamp: new Date().toISOString() });
      return { thread: { id: thread } };
    },
    'thread/resume'({ threadId }) {
      if (threadId !== thread) throw new Error(`no rollout found for thread ${String(threadId)}`);
      const turns = turn === undefined ? [] : [{ id: turn, status: 'inProgress' }];
      if (options.endsWhileResumed === true && turn !== undefined) end('completed');
      return { thread: { id: thread, turns } };
    },
    'turn/start'({ input, clientUserMessageId }) {
      const [{ text }] = input as [{ text: string }];
      begin(text, clientUserMessageId);
      if (text.startsWith('Answer')) setImmediate(() => end('completed'));
      return { turn: { id: turn, status: 'inProgress' } };
    },
    'turn/steer'({ input }) {
      heard.push((input as [{ text: string }])[0].text);
      setImmediate(() => end('completed'));
      return {};
    },
    'turn/interrupt'() {
      if (open !== undefined) resolve();
      end('interrupted');
      return {};
    },
    'thread/backgroundTerminals/clean': () => ({}),
    'thread/compact/start'() {
      record('compacted', { message: 'A summary' });
      note('thread/tokenUsage/updated', { tokenUsage: usage });
      return {};
    },
  };
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  server.on('connection', (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('message', (data) => {
      const { id, method, params = {}, result } = JSON.parse(String(data)) as Message;
      if (method === undefined) {
        if (id !== open) return;
        resolve();
        if (result?.decision !== 'accept') return; // its turn continues
        done += 1;
        return end('completed');
      }
      const answer = answers[method];
      if (id === undefined) return;
      const reply = answerTo(method, answer, params);
      const isUnanswered = method === 'turn/start' && options.isFirstUnanswered === true && heard.length === 1;
      if (!isUnanswered) client.send(JSON.stringify({ id, ...reply }));
    });
  });
  await new Promise<void>((ready) => http.listen(socket, ready));
  return {
    heard: () => heard,
    /** How many conversations were begun. */
    threads: () => threads,
    done: () => done,
    close() {
      for (const client of clients) client.terminate();
      server.close();
      http.close();
    },
  };
}

type Answerer = ((params: Record<string, unknown>) => object) | undefined;

function answerTo(method: string, answer: Answerer, params: Record<string, unknown>): object {
  try {
    return answer === undefined ? { error: { message: `no ${method}` } } : { result: answer(params) };
  } catch (error) {
    return { error: { message: String(error) } };
  }
}
