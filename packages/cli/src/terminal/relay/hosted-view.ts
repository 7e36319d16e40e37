import { setTimeout as pause } from 'node:timers/promises';
import type { HostedTerminal, TerminalHost, TerminalWatch } from '@devs/terminals';
import type { AgentDisplay } from './agent-display.js';
import { drawBottom } from './draw-bottom.js';
import { followSuspension, holdsCtrlZ } from './follow-suspension.js';
import type { LocalTerminal, TerminalSize } from './local-terminal.js';
import { type Mirror, openMirror } from './open-mirror.js';
import { takeUpScreen } from './take-up-screen.js';

export interface ShownTerminal {
  readonly host: TerminalHost;
  readonly name: string;
  readonly local: LocalTerminal;
  /** `watch`: nothing is typed, and its size stays as it is: a window of another size shows as much as there is room for. */
  readonly manner: 'use' | 'watch';
  /** `start`: it was started this moment, and everything it printed is for us · `screen`: as it looks now. */
  readonly from: 'start' | 'screen';
  /** The process has ended: whether another one takes its place. */
  isReplaced(): boolean | Promise<boolean>;
}

interface ViewRequest extends ShownTerminal {
  readonly display: AgentDisplay;
  /** Its process has ended, and no other one takes its place. */
  onExited(terminal: HostedTerminal): void;
}

const NEXT_PROCESS_MS = 50;
const SETTLED_MS = 200;

/** A hosted terminal in the user's: its own output, or a mirror of its screen while its size is another one. */
export class HostedView {
  hosted: HostedTerminal | undefined;
  isOver = false;
  readonly #request: ViewRequest;
  #watch: TerminalWatch | undefined;
  /** While the terminal has another size than this window. */
  #mirror: Mirror | undefined;
  #redrawing: NodeJS.Timeout | undefined;
  #sizing: NodeJS.Timeout | undefined;
  /** What was typed while the terminal was taken up: it is drawn a moment before it can be written to. */
  readonly #early: Buffer[] = [];

  constructor(request: ViewRequest) {
    this.#request = request;
  }

  async begin(): Promise<void> {
    const { manner, from } = this.#request;
    if (manner === 'watch') return this.#reflect();
    return from === 'start' ? this.#follow(0) : this.#takeUp();
  }

  end(): void {
    this.#watch?.stop();
    clearTimeout(this.#sizing);
    void this.#mirror?.close().catch(ignore);
  }

  /** A program draws everything when its terminal changes its size. */
  redraw(): void {
    const { host, name, local, manner } = this.#request;
    if (manner === 'watch' || this.isOver) return;
    const { columns, rows } = local.size();
    void host.resize(name, { columns, rows: rows + 1 }).catch(ignore);
    void host.resize(name, { columns, rows }).catch(ignore);
  }

  /** Draws what the agent had drawn in the last lines: not every agent does so by itself. */
  restore(count: number): void {
    const { host, name, local, display } = this.#request;
    if (this.#mirror !== undefined) this.#mirror.drawAnew();
    else
      void drawBottom(host, name, { ...local.size(), count }).then(
        (drawing) => this.isOver || display.inject(drawing),
        ignore, // a host that is gone is told by `onLost`
      );
  }

  resize(size: TerminalSize): void {
    const { host, name, manner } = this.#request;
    if (manner === 'watch') this.#mirror?.drawAnew();
    else void (this.#mirror === undefined ? host.resize(name, size) : this.reclaim()).catch(ignore);
  }

  /** `isTyped`: by the user, and not a report of their terminal. */
  write(bytes: Buffer, isTyped: boolean): void {
    if (this.hosted === undefined) this.#early.push(bytes);
    else if (this.hosted.exit === undefined) this.#send(this.hosted, bytes);
    else if (isTyped) this.#request.display.bell();
  }

  /** The window that is used last gives the terminal its size. */
  async reclaim(): Promise<void> {
    if (this.#mirror === undefined || this.#request.manner === 'watch') return;
    await this.#leaveMirror();
    await this.#takeUp();
  }

  #send(hosted: HostedTerminal, bytes: Buffer): void {
    const { host, display } = this.#request;
    if (holdsCtrlZ(bytes)) void this.#suspendWith(hosted);
    void host
      .write(hosted, bytes)
      .then((outcome) => outcome === 'input-backlog' && display.bell())
      .catch(ignore); // a host that is gone is told by `onLost`
  }

  async #suspendWith({ pid }: HostedTerminal): Promise<void> {
    const { host, name, local, display } = this.#request;
    const outcome = await followSuspension({ local, modes: display.modes, pid });
    if (outcome === 'suspended' && !this.isOver) await host.resize(name, local.size()).catch(ignore);
  }

  async #follow(from: number): Promise<void> {
    const { host, name, local, display } = this.#request;
    this.#watch = await host.watch({
      terminalId: name,
      from,
      onOutput: display.print,
      onSkipped: () => {
        display.skip();
        clearTimeout(this.#redrawing); // once, when the flood is over
        this.#redrawing = setTimeout(() => this.redraw(), SETTLED_MS).unref();
      },
      onResized: (size) => {
        clearTimeout(this.#sizing); // a program is also made to draw anew by two sizes in a row
        const look = () => isSameSize(size, local.size()) || void this.#reflect().catch(ignore);
        this.#sizing = setTimeout(look, SETTLED_MS).unref();
      },
      onExit: this.#onExit,
    });
    this.#took(this.#watch.terminal);
    if (this.isOver) this.#watch.stop();
  }

  readonly #onExit = (terminal: HostedTerminal) =>
    void this.#exited(terminal).catch(() => this.#request.onExited(terminal));

  #took(terminal: HostedTerminal): void {
    this.hosted = terminal;
    for (const bytes of this.#early.splice(0)) this.#send(terminal, bytes);
  }

  /** Bytes for another size would be torn apart here: as much of its screen as there is room for is drawn instead. */
  async #reflect(): Promise<void> {
    const { host, name, local, display } = this.#request;
    if (this.#mirror !== undefined || this.isOver) return;
    if (this.#watch !== undefined) display.clear();
    this.#watch?.stop();
    this.#mirror = await openMirror({ host, name, local, print: display.print, onExit: this.#onExit });
    this.#took(this.#mirror.terminal);
    if (this.isOver) await this.#mirror.close();
  }

  async #leaveMirror(): Promise<void> {
    const left = this.#mirror;
    this.#mirror = undefined;
    await left?.close();
    this.#request.display.clear();
  }

  async #exited(terminal: HostedTerminal): Promise<void> {
    const { host, name, isReplaced, onExited } = this.#request;
    this.hosted = terminal;
    for (let isExpected = true; !this.isOver; await pause(NEXT_PROCESS_MS)) {
      const next = (await host.list()).find(({ terminalId }) => terminalId === name);
      if (next !== undefined && next.handle !== terminal.handle) return this.#takeNext(next);
      // One more check past the last expected moment.
      if (!isExpected) return onExited(terminal);
      isExpected = await isReplaced();
    }
  }

  async #takeNext(next: HostedTerminal): Promise<void> {
    if (this.#mirror !== undefined) await this.#leaveMirror();
    else this.#request.display.clear();
    if (this.#request.manner === 'watch') return this.#reflect();
    await this.#matchSize(next);
    await this.#follow(0);
  }

  async #matchSize({ columns, rows }: HostedTerminal): Promise<void> {
    const { host, name, local } = this.#request;
    const size = local.size();
    if (!isSameSize(size, { columns, rows })) await host.resize(name, size);
  }

  async #takeUp(): Promise<void> {
    const { host, name, local, display } = this.#request;
    const taken = await takeUpScreen(host, name, local.size());
    display.print(Buffer.from(`${'\r\n'.repeat(local.size().rows)}\u001b[H${taken.drawing}`));
    display.print(Buffer.from(taken.modes.applying(display.modes)));
    await this.#follow(taken.offset);
    if (this.hosted !== undefined) await this.#matchSize(this.hosted);
    if (taken.isIncomplete) this.redraw();
  }
}

const isSameSize = (a: TerminalSize, b: TerminalSize): boolean => a.columns === b.columns && a.rows === b.rows;

const ignore = () => {};
