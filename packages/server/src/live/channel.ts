import type { ServerMessage } from '@devs/api';

/** The connection of one viewer, from the side of a subscription. */
export interface Viewer {
  say(message: ServerMessage): void;
  /** Whole binary messages, with their channel. */
  sendBinary(frame: Uint8Array): void;
  /** Bytes that were sent and that its network has not taken yet. */
  readonly backlogBytes: number;
  /** Resolves when the backlog is small, or the viewer is gone. */
  drained(): Promise<void>;
}

/** One subscription of a viewer. Nothing may throw. */
export interface Channel {
  ack?(offset: number): void;
  type?(bytes: Uint8Array): void;
  resize?(size: { readonly columns: number; readonly rows: number }): void;
  close(): void;
}
