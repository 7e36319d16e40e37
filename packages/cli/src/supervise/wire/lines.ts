import type { Socket } from 'node:net';

/** More than any order has: a template, settings and an environment. */
export const MAX_LINE_CHARS = 32 << 20;

type OnLine = (line: Readonly<Record<string, unknown>>) => void;

/** One JSON value on each line. What is none, or is too long, ends the connection. */
export function readLines(socket: Socket, onLine: OnLine, maxChars: () => number = () => MAX_LINE_CHARS): void {
  let begun: string[] = [];
  let chars = 0;
  socket.setEncoding('utf8');
  socket.on('data', (data: string) => {
    const parts = data.split('\n');
    for (const [index, part] of parts.entries()) {
      begun.push(part);
      chars += part.length;
      if (chars > maxChars()) return void socket.destroy();
      if (index === parts.length - 1) return; // its end is yet to come
      const value = parse(begun.join(''));
      begun = [];
      chars = 0;
      if (value === undefined) return void socket.destroy();
      onLine(value);
    }
  });
}

export const writeLine = (socket: Socket, value: object): void => {
  if (!socket.destroyed) socket.write(`${JSON.stringify(value)}\n`);
};

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
