import { openScreen, type TerminalHost } from '@devs/terminals';

export interface BottomRequest {
  readonly columns: number;
  readonly rows: number;
  /** Of the last rows. */
  readonly count: number;
}

/** What to print so that the last rows of a window show what the agent has there; nothing where the sizes differ by now. */
export async function drawBottom(host: TerminalHost, terminalId: string, bottom: BottomRequest): Promise<string> {
  const { columns, rows, count } = bottom;
  const { screen, close } = await openScreen({ host, terminalId });
  try {
    const view = screen.view();
    if (view.columns !== columns || view.rows.length !== rows) return '';
    const first = Math.max(0, rows - count);
    const drawn = Array.from(
      { length: rows - first },
      (_, at) => `\u001b[${first + at + 1};1H${screen.drawRow(first + at, columns)}\u001b[K`,
    );
    return `\u001b7\u001b[0m${drawn.join('')}\u001b8`;
  } finally {
    await close();
  }
}
