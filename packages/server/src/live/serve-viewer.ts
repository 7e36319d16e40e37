import { ApiError, ClientMessage, decodeFrame, type Problem, type Subscription } from '@devs/api';
import { DevsError } from '@devs/core';
import type { WebSocket } from 'ws';
import type { Identity } from '../admission/identity.js';
import type { Attendance } from './attendance.js';
import type { Channel, Viewer } from './channel.js';
import type { LiveDeps } from './create-live-room.js';
import { openLogChannel } from './log-channel.js';
import { maySubscribe } from './may-subscribe.js';
import { openScreensChannel } from './screens-channel.js';
import type { WireEvent } from './seed-events.js';
import { openTerminalChannel } from './terminal-channel.js';

const MAX_CHANNELS = 256;
const BACKLOG_BYTES = 1 << 20;
const DRAIN_MS = 20;

/** Codes of WebSocket closings that are ours. */
const CLOSED_BAD_MESSAGE = 4400;
const CLOSED_NO_CAPABILITY = 4401;

export interface RoomOfViewers {
  readonly attendance: Attendance;
  admit(socket: WebSocket): void;
  listen(listener: (event: WireEvent) => void): () => void;
}

/** One connection, from its first message, which has to bring a capability, to its end. */
export function serveViewer(socket: WebSocket, deps: LiveDeps, room: RoomOfViewers): void {
  const viewer = viewerOf(socket);
  const channels = new Map<number, Channel>();
  let identity: Identity | undefined;
  const tooLate = setTimeout(() => socket.close(CLOSED_NO_CAPABILITY, 'no capability'), deps.limits.helloMs);
  socket.on('error', () => socket.terminate()); // frames that are none, or too large
  socket.on('close', () => {
    clearTimeout(tooLate);
    for (const channel of channels.values()) channel.close();
    channels.clear();
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (identity === undefined) {
      identity = isBinary ? undefined : identityIn(data, deps);
      clearTimeout(tooLate);
      if (identity === undefined) return socket.close(CLOSED_NO_CAPABILITY, 'no capability');
      room.admit(socket);
      viewer.say({ type: 'ready', version: deps.version, scope: identity.scope, server: deps.serverId });
      return;
    }
    if (isBinary) {
      const frame = decodeFrame(data);
      if (frame !== undefined) channels.get(frame.channel)?.type?.(frame.bytes);
      return;
    }
    const message = parseMessage(data);
    if (message === undefined) return socket.close(CLOSED_BAD_MESSAGE, 'not a message of this version');
    hear(message, { identity, viewer, channels, deps, room });
  });
}

interface Session {
  readonly identity: Identity;
  readonly viewer: Viewer;
  readonly channels: Map<number, Channel>;
  readonly deps: LiveDeps;
  readonly room: RoomOfViewers;
}

function hear(message: ClientMessage, session: Session): void {
  const { channels, viewer } = session;
  switch (message.type) {
    case 'hello':
      break;
    case 'ping':
      viewer.say({ type: 'pong', id: message.id });
      break;
    case 'subscribe':
      subscribe(message.channel, message.subscription, session);
      break;
    case 'unsubscribe':
      channels.get(message.channel)?.close();
      channels.delete(message.channel);
      break;
    case 'ack':
      channels.get(message.channel)?.ack?.(message.offset);
      break;
    case 'resize':
      channels.get(message.channel)?.resize?.(message);
      break;
  }
}

function subscribe(channel: number, subscription: Subscription, session: Session): void {
  const { channels, viewer } = session;
  const refusal = whyNot(channel, subscription, session);
  if (refusal !== undefined) {
    viewer.say({ type: 'ended', channel, problem: problemOf(refusal) });
    return;
  }
  const slot = createSlot();
  channels.set(channel, slot);
  const onEnd = (error?: unknown) => {
    if (channels.get(channel) !== slot) return; // closed by its viewer
    channels.delete(channel);
    viewer.say({ type: 'ended', channel, ...(error === undefined ? {} : { problem: problemOf(error) }) });
  };
  openChannel(channel, subscription, { ...session, onEnd }).then(slot.fill, onEnd);
}

function whyNot(channel: number, subscription: Subscription, session: Session): ApiError | undefined {
  const { channels, identity, deps } = session;
  if (channels.has(channel)) return new ApiError('bad-request', `channel ${channel} is taken`);
  if (channels.size >= MAX_CHANNELS) return new ApiError('too-many', 'there are too many subscriptions');
  if (maySubscribe(identity, subscription, deps.supervisor.runOf)) return undefined;
  return new ApiError('not-allowed', `this is not for this capability (${identity.scope})`);
}

/** Takes the place of a channel that is being opened, and is closed with it. */
function createSlot(): Channel & { fill(channel: Channel): void } {
  let own: Channel | undefined;
  let isClosed = false;
  return {
    ack: (offset) => own?.ack?.(offset),
    type: (bytes) => own?.type?.(bytes),
    resize: (size) => own?.resize?.(size),
    close() {
      isClosed = true;
      own?.close();
    },
    fill(channel) {
      own = channel;
      if (isClosed) channel.close();
    },
  };
}

async function openChannel(
  channel: number,
  subscription: Subscription,
  { viewer, deps, room, identity, onEnd }: Session & { onEnd(error?: unknown): void },
): Promise<Channel> {
  switch (subscription.to) {
    case 'log':
      return openLogChannel(channel, subscription, { viewer, stores: deps.stores, onEnd });
    case 'notices': {
      viewer.say({ type: 'subscribed', channel });
      return {
        close: room.listen(({ name, data }) => viewer.say({ type: 'notice', channel, name, data: data as never })),
      };
    }
    case 'screens':
      return openScreensChannel(channel, subscription.terminals, { viewer, feeds: deps.feeds });
    case 'terminal': {
      const feed = await deps.feeds.open(subscription.terminal);
      viewer.say({ type: 'subscribed', channel });
      if (subscription.input !== true || identity.scope !== 'owner')
        return openTerminalChannel(channel, { feed, viewer, onEnd });
      const present = room.attendance.attend(subscription.terminal);
      const onTyped = (bytes: Uint8Array) => {
        present.typed();
        void feed.type(bytes).catch(() => {}); // the feed reports the end of the terminal
      };
      const ended = (error?: unknown) => {
        present.leave();
        onEnd(error);
      };
      const open = openTerminalChannel(channel, { feed, viewer, onTyped, onEnd: ended });
      return {
        ...open,
        close() {
          present.leave();
          open.close();
        },
      };
    }
  }
}

function viewerOf(socket: WebSocket): Viewer {
  return {
    say: (message) => socket.send(JSON.stringify(message)),
    sendBinary: (frame) => socket.send(frame, { binary: true }),
    get backlogBytes() {
      return socket.bufferedAmount;
    },
    async drained() {
      while (socket.bufferedAmount > BACKLOG_BYTES && socket.readyState === socket.OPEN) {
        await new Promise((resolve) => setTimeout(resolve, DRAIN_MS));
      }
    },
  };
}

function identityIn(data: Buffer, { capabilities }: LiveDeps): Identity | undefined {
  const message = parseMessage(data);
  return message?.type === 'hello' ? capabilities.identify(message.token) : undefined;
}

function parseMessage(data: Buffer): ClientMessage | undefined {
  try {
    return ClientMessage.safeParse(JSON.parse(data.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) return { code: error.code, message: error.message };
  if (error instanceof DevsError) return { code: 'unavailable', message: error.message };
  return { code: 'failed', message: 'something went wrong in the supervisor' };
}
