import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { BEAT_MS } from '@devs/api';
import type { Clock } from '@devs/core';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Capabilities } from '../admission/create-capabilities.js';
import type { Limits } from '../listen/limits.js';
import type { OpenStores } from '../records/open-stores.js';
import type { ServedSupervisor } from '../served-supervisor.js';
import type { TerminalFeeds } from '../terminals/terminal-feeds.js';
import { createAttendance } from './attendance.js';
import { createWireTranslator, type WireEvent } from './seed-events.js';
import { serveViewer } from './serve-viewer.js';

const MAX_MESSAGE_BYTES = 64 << 10;

export interface LiveDeps {
  readonly supervisor: ServedSupervisor;
  readonly stores: OpenStores;
  readonly feeds: TerminalFeeds;
  readonly capabilities: Pick<Capabilities, 'identify'>;
  readonly version: string;
  /** Another one after a restart. */
  readonly serverId: string;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'helloMs'>;
  onBug(error: unknown, where: string): void;
  /** How many viewers are connected, with each change. */
  onViewers(count: number): void;
}

/** All viewers that are connected now. */
export interface LiveRoom {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

export function createLiveRoom(deps: LiveDeps): LiveRoom {
  const { supervisor, clock } = deps;
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });
  const listeners = new Set<(event: WireEvent) => void>();
  const attendance = createAttendance(supervisor);
  const translate = createWireTranslator();
  const tell = (event: WireEvent) => {
    for (const listener of listeners) listener(event);
  };
  const stopNotices = supervisor.onNotice((notice) => translate(notice).forEach(tell));
  const stopChanges = supervisor.onChange(({ kind, id }) => tell({ name: 'changed', data: { kind, id } }));
  const beat = setInterval(() => {
    const text = JSON.stringify({ type: 'beat', at: clock.now() });
    for (const socket of server.clients) if (socket.readyState === socket.OPEN && isAdmitted(socket)) socket.send(text);
  }, BEAT_MS);
  beat.unref();
  const admitted = new WeakSet<WebSocket>();
  const isAdmitted = (socket: WebSocket) => admitted.has(socket);
  let viewers = 0;
  const count = (change: 1 | -1) => {
    viewers += change;
    deps.onViewers(viewers);
  };
  const room = {
    attendance,
    admit(socket: WebSocket) {
      admitted.add(socket);
      count(1);
      socket.once('close', () => count(-1));
    },
    listen(listener: (event: WireEvent) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return {
    upgrade(request, socket, head) {
      if (request.url !== '/v1/live') {
        socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, (viewer) => serveViewer(viewer, deps, room));
    },
    close() {
      clearInterval(beat);
      stopNotices();
      stopChanges();
      for (const socket of server.clients) socket.terminate();
      server.close();
    },
  };
}
