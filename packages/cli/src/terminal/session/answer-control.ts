import type { SupervisedTerminal, TerminalStatus } from '@devs/supervisor';
import type { ControlRequest } from '../control/control-message.js';
import type { OtherWindows } from './other-windows.js';

/** What others are told of a terminal by whoever supervises it. */
export interface ControlStatus extends TerminalStatus {
  /** Who supervises it. */
  readonly by?: string;
  /** Another process is about to take the place of the one that runs. */
  readonly isReplacing: boolean;
}

/** Counts what replaces the process of a terminal, so that whoever looks at it waits for the next one. */
export interface Replacements {
  readonly isUnderWay: boolean;
  during<T>(work: () => Promise<T>): Promise<T>;
}

export function createReplacements(): Replacements {
  let running = 0;
  return {
    get isUnderWay() {
      return running > 0;
    },
    async during(work) {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
}

export const isReplacing = (terminal: SupervisedTerminal, replacements: Replacements): boolean => {
  const { contextRefreshState } = terminal.status();
  return replacements.isUnderWay || (contextRefreshState !== null && contextRefreshState !== 'confirming');
};

export interface Answering {
  readonly terminal: SupervisedTerminal;
  readonly replacements: Replacements;
  /** Missing where it is supervised for a moment only. */
  readonly windows?: OtherWindows;
  readonly by: string;
}

/** Does what another process of this user asks for. */
export async function answerControl(
  request: ControlRequest,
  { terminal, replacements, windows, by }: Answering,
): Promise<unknown> {
  switch (request.do) {
    case 'status':
      return { ...terminal.status(), by, isReplacing: isReplacing(terminal, replacements) } satisfies ControlStatus;
    case 'send':
      return terminal.send(request.text);
    case 'renew':
      return replacements.during(() => terminal.renew({ keepsDraft: !request.dropsDraft }));
    case 'undo':
      return replacements.during(() => terminal.undoRenewal());
    case 'stop':
      return terminal.stop();
    case 'hand-over':
      return 'kept'; // who sits in front of it himself goes on; see keepDetached
    case 'user':
      return windows?.heard(request);
  }
}
