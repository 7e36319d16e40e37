import type { SupervisedTerminal } from '@devs/supervisor';

/** Windows of other processes in which the user sits in front of a terminal that this process supervises. */
export interface OtherWindows {
  heard(user: { readonly attached: boolean; readonly typed: boolean }): void;
  close(): void;
}

/** A window that says nothing for so long is gone. */
const SILENT_MS = 5_000;

/** While the user sits in front of any of them he is there (H17). In front of the one that supervises he is so anyway. */
export function createOtherWindows(terminal: Pick<SupervisedTerminal, 'user'>, isAttachedHere: boolean): OtherWindows {
  let silence: NodeJS.Timeout | undefined;
  const gone = () => terminal.user({ attached: false });
  return {
    heard({ attached, typed }) {
      if (isAttachedHere) return terminal.user({ typed });
      clearTimeout(silence);
      if (attached) silence = setTimeout(gone, SILENT_MS).unref();
      terminal.user(attached ? { attached, typed } : { left: true }); // who says farewell is not waited for
    },
    close: () => clearTimeout(silence),
  };
}
