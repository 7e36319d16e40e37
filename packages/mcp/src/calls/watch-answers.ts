import type {
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';

export interface WatchedTransport extends Transport {
  /**
   * Whether the answer to a request was written; false when it never will be. To be asked before the answer is sent.
   *
   * @param signal aborted when the SDK will not send the answer, because the request was cancelled or the connection closed
   */
  delivered(id: RequestId, signal: AbortSignal): Promise<boolean>;
  /** Grows with every message in either direction. */
  readonly messageCount: number;
  /** Resolves when everything that was sent by then is written, or cannot be. */
  flushed(): Promise<void>;
}

/** The SDK does not report when an answer was written, but its transports do; so the watch sits between the two. */
export function watchAnswers(wire: Transport): WatchedTransport {
  const waiting = new Map<RequestId, (delivered: boolean) => void>();
  const sending = new Set<Promise<void>>();
  let messageCount = 0;

  const watched: WatchedTransport = {
    async start() {
      wire.onmessage = (message: JSONRPCMessage, extra?: MessageExtraInfo) => {
        messageCount += 1;
        watched.onmessage?.(message, extra);
      };
      wire.onerror = (error) => watched.onerror?.(error);
      wire.onclose = () => watched.onclose?.();
      await wire.start();
    },
    close: () => wire.close(),
    async send(message: JSONRPCMessage, options?: TransportSendOptions) {
      messageCount += 1;
      const settle = takeWaiting(message);
      const sent = wire.send(message, options);
      sending.add(sent);
      try {
        await sent;
        settle?.('result' in message);
      } catch (error) {
        settle?.(false);
        throw error;
      } finally {
        sending.delete(sent);
      }
    },
    delivered: (id, signal) =>
      new Promise((resolve) => {
        // Once it is being sent, only the transport knows how that goes; a cancellation then comes too late.
        const giveUp = () => void (waiting.delete(id) && resolve(false));
        waiting.set(id, (delivered) => {
          signal.removeEventListener('abort', giveUp);
          resolve(delivered);
        });
        signal.addEventListener('abort', giveUp, { once: true });
        if (signal.aborted) giveUp();
      }),
    get messageCount() {
      return messageCount;
    },
    async flushed() {
      await Promise.allSettled(sending);
    },
  };
  return watched;

  function takeWaiting(message: JSONRPCMessage) {
    if (!('result' in message || 'error' in message) || message.id === undefined) return undefined;
    const settle = waiting.get(message.id);
    waiting.delete(message.id);
    return settle;
  }
}
