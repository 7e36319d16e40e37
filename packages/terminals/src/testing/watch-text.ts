import type { HostedTerminal } from '../protocol/messages.js';
import type { TerminalHost } from '../terminal-host.js';

/** Output of a terminal from its first byte on, for a test to wait on. */
export interface WatchedText {
  readonly text: string;
  readonly skippedBytes: number;
  /** Resolves when the text holds this, or matches it. */
  until(expected: string | RegExp): Promise<string>;
  readonly exited: Promise<HostedTerminal>;
  stop(): void;
}

export async function watchText(host: TerminalHost, terminalId: string): Promise<WatchedText> {
  const chunks: Buffer[] = [];
  const waiting = new Set<() => void>();
  let skippedBytes = 0;
  let exit: (terminal: HostedTerminal) => void = () => {};
  const exited = new Promise<HostedTerminal>((resolve) => {
    exit = resolve;
  });
  const read = () => Buffer.concat(chunks).toString('utf8');
  const watch = await host.watch({
    terminalId,
    from: 0,
    onOutput(bytes) {
      chunks.push(bytes);
      for (const look of waiting) look();
    },
    onSkipped(from, to) {
      skippedBytes += to - from;
    },
    onExit: exit,
  });
  return {
    get text() {
      return read();
    },
    get skippedBytes() {
      return skippedBytes;
    },
    until: (expected) =>
      new Promise((resolve) => {
        const look = () => {
          const text = read();
          const found = typeof expected === 'string' ? text.includes(expected) : expected.test(text);
          if (!found) return;
          waiting.delete(look);
          resolve(text);
        };
        waiting.add(look);
        look();
      }),
    exited,
    stop: () => watch.stop(),
  };
}
