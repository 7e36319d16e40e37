import { setTimeout as pause } from 'node:timers/promises';
import type { HostedTerminal, TerminalHost, TerminalWatch } from '@devs/terminals';
import { createAgentDisplay } from './agent-display.js';
import { followSuspension, holdsCtrlZ } from './follow-suspension.js';
import type { LocalEnd, LocalTerminal } from './local-terminal.js';
import { createKeyFilter, type KeyCommand, type PrefixKey } from './prefix-keys.js';
import { takeUpScreen } from './take-up-screen.js';
import { focusIn, isReport } from './terminal-reports.js';

export interface RelayRequest {
  readonly host: TerminalHost;
  readonly name: string;
  readonly local: LocalTerminal;
  /** `watch`: nothing is typed, and its size stays as it is. */
  readonly manner: 'use' | 'watch';
  /** `start`: it was started this moment, and everything it printed is for us · `screen`: as it looks now. */
  readonly from: 'start' | 'screen';
  readonly prefix: PrefixKey | undefined;
  /** What stands behind the agent's own title. */
  titleWord(): string;
  /** The process has ended: whether another one takes its place. */
  isReplaced(): boolean | Promise<boolean>;
  onTyped(): void;
  /** The user detaches, or his window is gone. The terminal has not been touched yet. */
  onLeaving(): void;
  onRenew(): void;
}

export type RelayEnd =
  | { readonly kind: 'exited'; readonly terminal: HostedTerminal }
  | { readonly kind: 'detached' }
  | { readonly kind: 'host-lost' }
  | { readonly kind: 'ended'; readonly by: LocalEnd };

/** Between the user's terminal and the one that the host holds, until one of them is gone or the user detaches. */
export interface Relay {
  readonly ended: Promise<RelayEnd>;
  /** Whether the user looks at it, where his terminal says so. */
  readonly isFocused: boolean | undefined;
  readonly typedAt: number;
  notify(text: string): void;
  /** A line at the bottom, for a moment. */
  show(line: string): void;
  titleChanged(): void;
}

const NEXT_PROCESS_MS = 50;
const SETTLED_MS = 200;
const CTRL_C = 0x03;

export async function relayTerminal(request: RelayRequest): Promise<Relay> {
  const { host, name, local, manner, prefix } = request;
  let hosted: HostedTerminal | undefined;
  let watch: TerminalWatch | undefined;
  let isOver = false;
  let isFocused: boolean | undefined;
  let typedAt = 0;
  let redrawing: NodeJS.Timeout | undefined;
  /** What was typed while the terminal was taken up: it is drawn a moment before it can be written to. */
  const early: Buffer[] = [];
  let end: (how: RelayEnd) => void = () => {};
  const ended = new Promise<RelayEnd>((resolve) => {
    end = resolve;
  });

  /** A program draws everything when its terminal changes its size. */
  const redraw = () => {
    if (manner === 'watch' || isOver) return;
    const { columns, rows } = local.size();
    void host.resize(name, { columns, rows: rows + 1 }).catch(ignore);
    void host.resize(name, { columns, rows }).catch(ignore);
  };
  const display = createAgentDisplay({ local, name, titleWord: request.titleWord, onLineHidden: redraw });
  const finish = (how: RelayEnd) => {
    if (isOver) return;
    if (how.kind === 'detached' || how.kind === 'ended') request.onLeaving();
    watch?.stop();
    if (how.kind === 'exited') display.settle();
    close();
    end(how);
  };
  const close = () => {
    giveBack();
    isOver = true;
    forgetLoss();
  };

  const obey = (command: KeyCommand) => {
    if (command === 'help') return display.show(helpLine(prefix, manner));
    display.hideLine();
    if (command === 'detach') finish({ kind: 'detached' });
    else if (command === 'redraw') redraw();
    else if (command === 'renew' && manner === 'use') request.onRenew();
    else display.bell();
  };
  const type = (bytes: Buffer) => {
    const focus = focusIn(bytes);
    if (focus !== undefined) isFocused = focus === 'gained';
    if (manner === 'watch') {
      if (bytes.includes(CTRL_C)) finish({ kind: 'detached' });
      return;
    }
    const isTyped = !isReport(bytes);
    if (isTyped) {
      typedAt = Date.now();
      request.onTyped();
      display.hideLine();
    }
    if (hosted === undefined) return void early.push(bytes);
    if (hosted.exit !== undefined) return isTyped ? display.bell() : undefined;
    send(hosted, bytes);
  };
  const send = (hosted: HostedTerminal, bytes: Buffer) => {
    if (holdsCtrlZ(bytes)) void suspendWith(hosted);
    void host
      .write(hosted, bytes)
      .then((outcome) => outcome === 'input-backlog' && display.bell())
      .catch(ignore); // a host that is gone is told by `onLost`
  };
  const suspendWith = async ({ pid }: HostedTerminal) => {
    const outcome = await followSuspension({ local, modes: display.modes, pid });
    if (outcome === 'suspended' && !isOver) await host.resize(name, local.size()).catch(ignore);
  };

  const keys = createKeyFilter(prefix);
  const giveBack = local.take({
    onInput(bytes) {
      for (const part of keys.push(bytes)) {
        if (isOver) return;
        if (part.kind === 'input') type(part.bytes);
        else if (part.kind === 'prefix') display.show(helpLine(prefix, manner));
        else obey(part.command);
      }
    },
    onResize(size) {
      if (manner === 'use') void host.resize(name, size).catch(ignore);
    },
    onEnd: (by) => finish({ kind: 'ended', by }),
    farewell: () => display.farewell(hosted?.exit === undefined),
  });
  const forgetLoss = host.onLost(() => finish({ kind: 'host-lost' }));

  const follow = async (from: number): Promise<void> => {
    watch = await host.watch({
      terminalId: name,
      from,
      onOutput: display.print,
      onSkipped() {
        display.skip();
        clearTimeout(redrawing); // once, when the flood is over
        redrawing = setTimeout(redraw, SETTLED_MS).unref();
      },
      onExit: (terminal) => void exited(terminal).catch(() => finish({ kind: 'exited', terminal })),
    });
    hosted = watch.terminal;
    for (const bytes of early.splice(0)) send(hosted, bytes);
    if (isOver) watch.stop();
  };
  const exited = async (terminal: HostedTerminal): Promise<void> => {
    hosted = terminal;
    for (let isExpected = true; !isOver; await pause(NEXT_PROCESS_MS)) {
      const next = (await host.list()).find(({ terminalId }) => terminalId === name);
      if (next !== undefined && next.handle !== terminal.handle) return takeNext(next);
      // One more look after the last moment in which somebody was expected.
      if (!isExpected) return finish({ kind: 'exited', terminal });
      isExpected = await request.isReplaced();
    }
  };
  const takeNext = async (next: HostedTerminal) => {
    display.clear();
    await matchSize(next);
    await follow(0);
  };
  const matchSize = async ({ columns, rows }: HostedTerminal) => {
    const size = local.size();
    if (manner === 'use' && (size.columns !== columns || size.rows !== rows)) await host.resize(name, size);
  };
  const takeUp = async () => {
    const taken = await takeUpScreen(host, name);
    display.print(Buffer.from(taken.drawing));
    display.print(Buffer.from(taken.modes.applying(display.modes)));
    await follow(taken.offset);
    if (hosted !== undefined) await matchSize(hosted);
    if (taken.isIncomplete) redraw();
  };

  try {
    await (request.from === 'start' ? follow(0) : takeUp());
  } catch (error) {
    close();
    throw error;
  }
  return {
    ended,
    get isFocused() {
      return isFocused;
    },
    get typedAt() {
      return typedAt;
    },
    notify: (text) => isOver || display.notify(text),
    show: (line) => isOver || display.show(line),
    titleChanged: () => isOver || display.titleChanged(),
  };
}

function helpLine(prefix: PrefixKey | undefined, manner: RelayRequest['manner']): string {
  const key = prefix?.label ?? '';
  const renew = manner === 'use' ? 'r renew · ' : '';
  return `devs: d detach · ${renew}l draw anew · ? help · ${key} once more sends it · Esc nothing`;
}

const ignore = () => {};
