import { setTimeout as pause } from 'node:timers/promises';
import type { HostedTerminal, TerminalHost, TerminalWatch } from '@devs/terminals';
import { createAgentDisplay } from './agent-display.js';
import { drawBottom } from './draw-bottom.js';
import { followSuspension, holdsCtrlZ } from './follow-suspension.js';
import type { LocalEnd, LocalTerminal, TerminalSize } from './local-terminal.js';
import { type Mirror, openMirror } from './open-mirror.js';
import { createKeyFilter, type KeyCommand, type PrefixKey } from './prefix-keys.js';
import { takeUpScreen } from './take-up-screen.js';
import { focusIn, isReport } from './terminal-reports.js';

export interface RelayRequest {
  readonly host: TerminalHost;
  readonly name: string;
  readonly local: LocalTerminal;
  /** `watch`: nothing is typed, and its size stays as it is: a window of another size shows as much as there is room for. */
  readonly manner: 'use' | 'watch';
  /** `start`: it was started this moment, and everything it printed is for us · `screen`: as it looks now. */
  readonly from: 'start' | 'screen';
  readonly prefix: PrefixKey | undefined;
  /** What stands behind the agent's own title. */
  titleWord(): string;
  /** The process has ended: whether another one takes its place. */
  isReplaced(): boolean | Promise<boolean>;
  onTyped(): void;
  onRenew(): void;
}

export type RelayEnd =
  | { readonly kind: 'exited'; readonly terminal: HostedTerminal }
  | { readonly kind: 'detached' }
  | { readonly kind: 'host-lost' }
  | { readonly kind: 'ended'; readonly by: LocalEnd };

/** Connects the user's terminal with the hosted one, until either is gone or the user detaches. */
export interface Relay {
  readonly ended: Promise<RelayEnd>;
  /** Whether the user looks at it, if their terminal reports that. */
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
  let sizing: NodeJS.Timeout | undefined;
  /** While the terminal has another size than this window. */
  let mirror: Mirror | undefined;
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
  /** What the agent had drawn there is drawn again: not every agent does so by itself. */
  const onLineHidden = (count: number) => {
    if (mirror !== undefined) return mirror.drawAnew();
    void drawBottom(host, name, { ...local.size(), count }).then(
      (drawing) => isOver || display.inject(drawing),
      ignore, // a host that is gone is told by `onLost`
    );
  };
  const display = createAgentDisplay({ local, name, titleWord: request.titleWord, onLineHidden });
  const finish = (how: RelayEnd) => {
    if (isOver) return;
    watch?.stop();
    clearTimeout(sizing);
    void mirror?.close().catch(ignore);
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
      void reclaim().catch(ignore);
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
      if (manner === 'watch') mirror?.drawAnew();
      else void (mirror === undefined ? host.resize(name, size) : reclaim()).catch(ignore);
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
      onResized(size) {
        clearTimeout(sizing); // a program is also made to draw anew by two sizes in a row
        sizing = setTimeout(() => isSameSize(size, local.size()) || void reflect().catch(ignore), SETTLED_MS).unref();
      },
      onExit,
    });
    took(watch.terminal);
    if (isOver) watch.stop();
  };
  const onExit = (terminal: HostedTerminal) => void exited(terminal).catch(() => finish({ kind: 'exited', terminal }));
  const took = (terminal: HostedTerminal) => {
    hosted = terminal;
    for (const bytes of early.splice(0)) send(hosted, bytes);
  };
  /** Bytes for another size would be torn apart here: as much of its screen as there is room for is drawn instead. */
  const reflect = async (): Promise<void> => {
    if (mirror !== undefined || isOver) return;
    if (watch !== undefined) display.clear();
    watch?.stop();
    mirror = await openMirror({ host, name, local, print: display.print, onExit });
    took(mirror.terminal);
    if (isOver) await mirror.close();
  };
  const leaveMirror = async (): Promise<void> => {
    const left = mirror;
    mirror = undefined;
    await left?.close();
    display.clear();
  };
  /** The window that is used last gives the terminal its size. */
  const reclaim = async (): Promise<void> => {
    if (mirror === undefined || manner === 'watch') return;
    await leaveMirror();
    await takeUp();
  };
  const exited = async (terminal: HostedTerminal): Promise<void> => {
    hosted = terminal;
    for (let isExpected = true; !isOver; await pause(NEXT_PROCESS_MS)) {
      const next = (await host.list()).find(({ terminalId }) => terminalId === name);
      if (next !== undefined && next.handle !== terminal.handle) return takeNext(next);
      // One more check past the last expected moment.
      if (!isExpected) return finish({ kind: 'exited', terminal });
      isExpected = await request.isReplaced();
    }
  };
  const takeNext = async (next: HostedTerminal) => {
    if (mirror !== undefined) await leaveMirror();
    else display.clear();
    if (manner === 'watch') return reflect();
    await matchSize(next);
    await follow(0);
  };
  const matchSize = async ({ columns, rows }: HostedTerminal) => {
    const size = local.size();
    if (!isSameSize(size, { columns, rows })) await host.resize(name, size);
  };
  const takeUp = async () => {
    const taken = await takeUpScreen(host, name, local.size());
    display.print(Buffer.from(`${'\r\n'.repeat(local.size().rows)}\u001b[H${taken.drawing}`));
    display.print(Buffer.from(taken.modes.applying(display.modes)));
    await follow(taken.offset);
    if (hosted !== undefined) await matchSize(hosted);
    if (taken.isIncomplete) redraw();
  };

  try {
    await (manner === 'watch' ? reflect() : request.from === 'start' ? follow(0) : takeUp());
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

const isSameSize = (a: TerminalSize, b: TerminalSize): boolean => a.columns === b.columns && a.rows === b.rows;

function helpLine(prefix: PrefixKey | undefined, manner: RelayRequest['manner']): string {
  const key = prefix?.label ?? '';
  const renew = manner === 'use' ? 'r renew · ' : '';
  return `devs: d detach · ${renew}l redraw · ? help · ${key} once more sends it · Esc nothing`;
}

const ignore = () => {};
