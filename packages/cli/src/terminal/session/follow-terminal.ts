import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@devs/core';
import type { RenewOutcome, TerminalNews, TerminalNotice } from '@devs/supervisor';
import { askSupervisor, takeUp } from '../ask-supervisor.js';
import type { TerminalDeps } from '../terminal-world.js';

/** A terminal that the supervisor holds and the user of this process sits in front of. */
export interface FollowedTerminal {
  /** The last that was heard of it. */
  readonly news: TerminalNews | undefined;
  /** Its agent has ended, or is not supervised any more. */
  readonly over: Promise<void>;
  typed(): void;
  renew(wish: { readonly dropsDraft: boolean }): Promise<RenewOutcome>;
  /** The user detaches on purpose: nothing waits for them any more. */
  leave(): Promise<void>;
  close(): void;
}

interface Following {
  readonly name: string;
  readonly window: string;
  /** The window began with the agent. A later window is not told again what was told before. */
  readonly isFirst: boolean;
  /** `run`: the run whose agent works in it. */
  onNotice(notice: TerminalNotice, run: string | undefined): void;
  onChange(): void;
  /** A sentence for people. */
  onSaid(text: string): void;
}

const LEFT_MS = 200;
const GONE = 'devs: the supervisor is gone; another one continues.';

/** Attends a terminal, also after its supervisor was started again. The callbacks must not throw. */
export function followTerminal(world: TerminalDeps, following: Following): FollowedTerminal {
  const { name, window, isFirst, ...callbacks } = following;
  const { supervisor } = world;
  const leaving = new AbortController();
  let news: TerminalNews | undefined;
  let [seen, noticed] = [0, 0];
  let hasTyped = false;
  const take = (next: TerminalNews) => {
    if (next.revision < seen) noticed = 0; // another supervisor
    const newest = next.notices.at(-1)?.number ?? noticed;
    if (news === undefined && !isFirst) noticed = newest;
    for (const { number, notice } of next.notices) if (number > noticed) callbacks.onNotice(notice, next.run);
    noticed = newest;
    news = next;
    seen = next.revision;
    callbacks.onChange();
  };
  const attend = () => {
    const typed = hasTyped;
    hasTyped = false;
    return supervisor.use((port) => port.terminals.attend(name, { seen, window, typed }, leaving.signal), {
      onLost: () => leaving.signal.aborted || callbacks.onSaid(GONE),
      async onFound(port) {
        [seen, noticed] = [0, 0]; // the next one counts anew
        await port.terminals.provide(name, world.caller);
      },
    });
  };
  const follow = async (): Promise<void> => {
    while (!leaving.signal.aborted) {
      const next = await attend();
      if (leaving.signal.aborted) return;
      if (next === undefined && (await takeUp(world, name, window)).status !== 'started') return;
      if (next === undefined || next.isLeft)
        await pause(LEFT_MS); // until the next supervisor holds it
      else take(next);
      if (next?.isOver === true) return;
    }
  };
  return {
    get news() {
      return news;
    },
    over: follow().catch((error: unknown) => {
      if (!leaving.signal.aborted) callbacks.onSaid(`devs: ${messageOf(error)}`);
    }),
    typed() {
      hasTyped = true;
    },
    renew: ({ dropsDraft }) => askSupervisor(world, name, (port) => port.renew(name, { dropsDraft })),
    async leave() {
      leaving.abort();
      await supervisor.ask((port) => port.terminals.leave(name, window)).catch(() => {}); // it forgets the window by itself
    },
    close: () => leaving.abort(),
  };
}
