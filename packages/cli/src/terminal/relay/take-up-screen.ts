import { setTimeout as pause } from 'node:timers/promises';
import {
  type HostedTerminal,
  openScreen,
  readOutput,
  restoreScreen,
  type Screen,
  type TerminalHost,
} from '@devs/terminals';
import { createOutputFilter } from './output-filter.js';
import type { TerminalModes } from './terminal-modes.js';

export interface TakenScreen {
  /** What to print to make a terminal look like that one, scrollback included. */
  readonly drawing: string;
  /** The output continues here. */
  readonly offset: number;
  /** What the program has switched, as far as its output is still there. */
  readonly modes: TerminalModes;
  readonly isIncomplete: boolean;
}

const TRIES = 100;
const TRY_MS = 10;

/** The look of a terminal that another window has used, once it has the size of this window. */
export async function takeUpScreen(
  host: TerminalHost,
  terminalId: string,
  size: { readonly columns: number; readonly rows: number },
): Promise<TakenScreen> {
  const opened = await openScreen({ host, terminalId });
  try {
    await opened.resize(size);
    for (let tries = 0; tries < TRIES && !hasSize(opened.screen, size); tries++) await pause(TRY_MS);
    const reached = opened.offset;
    for (let tries = 0; ; tries++) {
      await opened.keep(); // does nothing in the middle of a sequence
      const kept = await host.recall(terminalId);
      if (kept === undefined || kept.handle !== opened.terminal.handle || (kept.offset < reached && tries < TRIES)) {
        if (tries >= TRIES) break;
        await pause(TRY_MS);
        continue;
      }
      const screen = await restoreScreen(kept.data);
      if (screen === undefined) break;
      const { title } = screen.view();
      const drawing = `${screen.serialize()}\u001b]2;${withoutControls(title)}\u0007`;
      screen.dispose();
      const modes = await modesUpTo(host, opened.terminal, kept.offset);
      return { drawing, offset: kept.offset, modes, isIncomplete: opened.lostBytes > 0 };
    }
    return { drawing: opened.screen.serialize(), offset: opened.offset, modes: noModes(), isIncomplete: true };
  } finally {
    await opened.close();
  }
}

function hasSize(screen: Screen, { columns, rows }: { readonly columns: number; readonly rows: number }): boolean {
  const view = screen.view();
  return view.columns === columns && view.rows.length === rows;
}

const noModes = (): TerminalModes => createOutputFilter().modes;

/** A screen knows less of the modes than a terminal needs: they are read from what was printed. */
async function modesUpTo(host: TerminalHost, terminal: HostedTerminal, offset: number): Promise<TerminalModes> {
  const filter = createOutputFilter();
  const { output, outputFolder, terminalId } = terminal;
  let at = 0;
  const take = (bytes: Buffer, from: number) => {
    const wanted = bytes.subarray(Math.max(0, at - from), Math.max(0, offset - from));
    if (wanted.length > 0) filter.push(wanted);
    at = Math.max(at, from + bytes.length);
  };
  if (outputFolder !== undefined && output.start > 0) {
    for (const { bytes, offset: from } of readOutput(outputFolder, { from: 0, to: output.start })) take(bytes, from);
  }
  let reached: () => void = () => {};
  const isThere = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const watch = await host.watch({
    terminalId,
    from: Math.min(output.start, offset),
    onOutput(bytes, from) {
      take(bytes, from);
      if (at >= offset) reached();
    },
    onExit: () => reached(),
  });
  if (offset > Math.max(at, output.start)) await Promise.race([isThere, pause(MAX_READ_MS)]);
  watch.stop();
  return filter.modes;
}

const MAX_READ_MS = 3_000;

const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, '');
