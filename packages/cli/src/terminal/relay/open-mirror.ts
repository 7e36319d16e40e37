import { type HostedTerminal, openScreen, type Screen, type TerminalHost } from '@devs/terminals';
import type { LocalTerminal } from './local-terminal.js';

/** The screen of a terminal in a window of another size: as much of it as there is room for, and no row in two. */
export interface Mirror {
  readonly terminal: HostedTerminal;
  /** All of it, because the window was changed. */
  drawAnew(): void;
  close(): Promise<void>;
}

export interface MirrorRequest {
  readonly host: TerminalHost;
  readonly name: string;
  readonly local: LocalTerminal;
  print(bytes: Uint8Array): void;
  onExit(terminal: HostedTerminal): void;
}

/** A program that draws often is shown so often at most. */
const DRAW_MS = 30;

export async function openMirror({ host, name, local, print, onExit }: MirrorRequest): Promise<Mirror> {
  let isClosed = false;
  let drawing: NodeJS.Timeout | undefined;
  let shown: string[] = [];
  const schedule = () => {
    drawing ??= setTimeout(draw, DRAW_MS);
  };
  let screen: Screen | undefined;
  const draw = () => {
    clearTimeout(drawing);
    drawing = undefined;
    if (isClosed || screen === undefined) return;
    const drawRow = screen.drawRow;
    const { columns, rows } = local.size();
    const { rows: all, cursor } = screen.view();
    const bottom = Math.max(
      cursor.row,
      all.findLastIndex((row) => row !== ''),
    );
    const top = Math.max(0, bottom - rows + 1);
    const next = Array.from({ length: rows }, (_, row) => drawRow(top + row, columns));
    const changed = next.flatMap((text, row) => (text === shown[row] ? [] : [`${at(row, 0)}${text}\u001b[K`]));
    shown = next;
    const place = at(cursor.row - top, Math.min(cursor.column, columns - 1));
    print(Buffer.from(`\u001b[?25l${changed.join('')}${place}\u001b[?25h`));
  };
  const drawAnew = () => {
    shown = [];
    print(Buffer.from('\u001b[0m\u001b[2J'));
    draw();
  };
  const opened = await openScreen({
    host,
    terminalId: name,
    onChange: schedule,
    onExit(terminal) {
      draw();
      onExit(terminal);
    },
  });
  screen = opened.screen;
  print(Buffer.from('\u001b[?1049h'));
  drawAnew();
  return {
    terminal: opened.terminal,
    drawAnew,
    async close() {
      isClosed = true;
      clearTimeout(drawing);
      await opened.close();
    },
  };
}

const at = (row: number, column: number): string => `\u001b[${row + 1};${column + 1}H`;
