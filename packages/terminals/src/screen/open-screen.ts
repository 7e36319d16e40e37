import type { SizeChange } from '../host/size-history.js';
import { type OutputPart, readOutput } from '../output/read-output.js';
import type { HostedTerminal } from '../protocol/messages.js';
import type { TerminalHost, TerminalWatch } from '../terminal-host.js';
import { TerminalHostRefusedError, TerminalHostUnavailableError } from '../terminal-host-error.js';
import { createScreen, restoreScreen, type Screen } from './create-screen.js';
import { createScreenFeed, type ScreenFeed } from './screen-feed.js';

export interface OpenScreenRequest {
  readonly host: TerminalHost;
  readonly terminalId: string;
  readonly scrollback?: number;
  /**
   * Whether to answer queries of the program: yes if no viewer is attached, no if a real terminal answers them.
   * Queries from before are never answered.
   */
  readonly answersQueries?: boolean;
  /** Whether the screen is left with the host from time to time. Default: yes; one client that does is enough. */
  readonly keeps?: boolean;
  /** After each change of the screen. */
  onChange?(): void;
  /** What comes to the screen after it was opened, in order; an offset that is higher than expected: some of it was lost. */
  onOutput?(bytes: Buffer, offset: number): void;
  onResized?(size: { readonly columns: number; readonly rows: number }): void;
  /** After the last byte is on the screen. */
  onExit?(terminal: HostedTerminal): void;
}

/** The screen of a terminal that a host holds, kept up to date. */
export interface OpenScreen {
  /** As it was when the screen was opened. */
  readonly terminal: HostedTerminal;
  readonly screen: Screen;
  /** Offset of the first byte that is not on the screen yet. */
  readonly offset: number;
  /** Bytes lost on the way: the screen may be wrong until the program redraws. */
  readonly lostBytes: number;
  answerQueries(answers: boolean): void;
  /** The screen follows when the output up to then is drawn. */
  resize(size: Size): Promise<void>;
  /** All of the screen at an offset of the output: a viewer draws it, and then what comes behind the offset. */
  snapshot(): Promise<ScreenSnapshot>;
  /** Leaves the screen with the host, for the next client. */
  keep(): Promise<void>;
  close(): Promise<void>;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface ScreenSnapshot extends Size {
  readonly data: string;
  readonly offset: number;
}

/** The screen is left with the host again after this much output: a crash loses only what the host's ring still has. */
const KEEP_BYTES = 512 << 10;
/** A screen draws 20 MB/s and an agent prints 50: more than this does not wait for it, the host's ring does. */
const PENDING_LIMIT_BYTES = 1 << 20;

/**
 * Restores the screen of a terminal: the screen that the last client kept, then output since then from disk, from the
 * host's memory, and live. If a part is missing, the program is made to redraw.
 */
export async function openScreen(request: OpenScreenRequest): Promise<OpenScreen> {
  const { host, terminalId } = request;
  const terminal = await findTerminal(host, terminalId);
  const sizes = await host.sizes(terminalId);
  const { screen, from } = await recallScreen(request, terminal, sizes?.[0]);
  const followed = new FollowedScreen(request, { terminal, screen, from });
  for (const part of replay(missingOnDisk(terminal, from), sizes?.filter(({ offset }) => offset >= from) ?? []))
    await followed.draw(part);
  await followed.catchUp(sizes !== undefined);
  return followed;
}

/** How long a program may take to draw at another size, try by try. */
const REDRAW_PATIENCE_MS = [100, 300, 900];

interface Recalled {
  readonly terminal: HostedTerminal;
  readonly screen: Screen;
  readonly from: number;
}

class FollowedScreen implements OpenScreen {
  terminal: HostedTerminal;
  readonly screen: Screen;
  private readonly feed: ScreenFeed;
  private readonly stopReplies: () => void;
  private watch: TerminalWatch | undefined;
  private keptOffset: number;
  private answers = false;
  private isClosed = false;
  /** Callers hear of what comes after it was opened. */
  private isOpen = false;
  /** Sizes reported in order with the output, until the screen is restored. */
  private told: Size[] | undefined = [];

  constructor(
    private readonly request: OpenScreenRequest,
    { terminal, screen, from }: Recalled,
  ) {
    this.terminal = terminal;
    this.screen = screen;
    this.keptOffset = from;
    this.feed = createScreenFeed(screen, { from, onDrawn: () => request.onChange?.() });
    this.stopReplies = screen.onReply((answer) => {
      if (this.answers) void request.host.write(terminal, answer).catch(ignore);
    });
  }

  get offset(): number {
    return this.feed.offset;
  }

  get lostBytes(): number {
    return this.feed.lostBytes;
  }

  /** What the disk has, before the host is followed. */
  async draw(part: OutputPart | SizeChange): Promise<void> {
    if ('columns' in part) this.feed.resize(part);
    else this.feed.take(part.bytes, part.offset);
    await this.feed.settled();
  }

  /** Follows the host until everything up to now is drawn. */
  async catchUp(knowsSizes: boolean): Promise<void> {
    const { feed, request } = this;
    const { terminal: now } = await this.follow();
    this.terminal = now;
    const isSized = () => !knowsSizes || this.told?.some((size) => isSameSize(size, now)) !== false;
    await until(() => feed.offset >= now.output.end && isSized(), request.host);
    if (!knowsSizes) feed.resize(now);
    await feed.settled();
    this.told = undefined;
    this.answers = request.answersQueries ?? false;
    if (feed.lostBytes > 0 && now.exit === undefined) await this.redraw(now).catch(unlessEnded);
    this.isOpen = true;
  }

  /**
   * A program draws everything when its terminal changes its size. It compares sizes when it comes to look (Node does): it has to
   * see the other size before its own is back.
   */
  private async redraw({ columns, rows }: Size): Promise<void> {
    for (const patienceMs of REDRAW_PATIENCE_MS) {
      const { offset } = this.feed;
      await this.resize({ columns, rows: rows + 1 });
      const isDrawn = await within(patienceMs, () => this.feed.offset > offset);
      await this.resize({ columns, rows });
      if (isDrawn) return;
    }
  }

  answerQueries = (answers: boolean): void => {
    this.answers = answers;
  };

  resize = (size: Size): Promise<void> => {
    return this.request.host.resize(this.request.terminalId, size);
  };

  snapshot = (): Promise<ScreenSnapshot> => {
    return takeSnapshot(this.screen, this.feed);
  };

  keep = async (): Promise<void> => {
    const { feed, screen, request } = this;
    await feed.settled();
    const data = screen.save();
    if (data === undefined) return;
    this.keptOffset = feed.offset;
    await request.host.keep(request.terminalId, { handle: this.terminal.handle, offset: feed.offset, data });
  };

  close = async (): Promise<void> => {
    this.isClosed = true;
    this.stopReplies();
    this.watch?.stop();
    if (this.request.keeps !== false) await this.keep().catch(ignore); // the host may be gone, or the terminal forgotten
    this.screen.dispose();
  };

  private async follow(): Promise<TerminalWatch> {
    const { feed, request } = this;
    const watch = await request.host.watch({
      terminalId: request.terminalId,
      from: feed.offset,
      onOutput: (bytes, offset) => this.take(bytes, offset),
      onResized: (size) => {
        this.told?.push(size);
        feed.resize(size);
        if (this.isOpen) request.onResized?.(size);
      },
      onExit: (ended) => void feed.settled().then(() => this.isClosed || request.onExit?.(ended)),
    });
    this.watch = watch;
    if (this.isClosed) watch.stop();
    return watch;
  }

  private take(bytes: Buffer, offset: number): void {
    const { feed, request } = this;
    feed.take(bytes, offset);
    if (this.isOpen) request.onOutput?.(bytes, offset);
    if (feed.pendingBytes > PENDING_LIMIT_BYTES) this.rest();
    if (request.keeps === false || feed.offset - this.keptOffset < KEEP_BYTES) return;
    this.keptOffset = feed.offset;
    void this.keep().catch(ignore);
  }

  /** Lets the host skip what we cannot draw in time, and resumes once everything is drawn. */
  private rest(): void {
    if (this.watch === undefined) return;
    this.watch.stop();
    this.watch = undefined;
    void this.feed.settled().then(() => (this.isClosed ? undefined : this.follow().catch(ignore))); // a lost host is known to the caller
  }
}

/** How long the rest of a sequence is waited for. */
const REST_MS = 200;

/** In the middle of a sequence its rest would be taken for text. */
async function takeSnapshot(screen: Screen, feed: ScreenFeed): Promise<ScreenSnapshot> {
  const until = Date.now() + REST_MS;
  await feed.settled();
  while (!screen.isAtRest && Date.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await feed.settled();
  }
  const { columns, rows } = screen.view();
  return { data: screen.serialize(), offset: feed.offset, columns, rows: rows.length };
}

async function findTerminal(host: TerminalHost, terminalId: string): Promise<HostedTerminal> {
  const found = (await host.list()).find((candidate) => candidate.terminalId === terminalId);
  if (found === undefined) throw new TerminalHostRefusedError('unknown-terminal', `the host has no ${terminalId}`);
  return found;
}

/** The screen that another client kept of this very start of the terminal, or an empty one. */
async function recallScreen(
  { host, terminalId, scrollback }: OpenScreenRequest,
  { handle, ...hosted }: HostedTerminal,
  first: Size | undefined,
) {
  const options = scrollback === undefined ? {} : { scrollback };
  const kept = await host.recall(terminalId);
  const restored = kept?.handle === handle ? await restoreScreen(kept.data, options) : undefined;
  if (restored !== undefined && kept !== undefined) return { screen: restored, from: kept.offset };
  const { columns, rows } = first ?? hosted;
  return { screen: createScreen({ columns, rows, ...options }), from: 0 };
}

/** The parts, with the changes of the size where they were made. */
function* replay(parts: readonly OutputPart[], sizes: readonly SizeChange[]): Iterable<OutputPart | SizeChange> {
  let changes = sizes;
  for (const { bytes, offset } of parts) {
    let at = offset;
    for (const change of changes.filter((size) => size.offset < offset + bytes.length)) {
      const until = Math.max(at, change.offset);
      if (until > at) yield { bytes: bytes.subarray(at - offset, until - offset), offset: at };
      yield change;
      at = until;
    }
    changes = changes.filter((size) => size.offset >= offset + bytes.length);
    yield { bytes: bytes.subarray(at - offset), offset: at };
  }
}

const isSameSize = (a: Size, b: Size): boolean => a.columns === b.columns && a.rows === b.rows;

const missingOnDisk = ({ outputFolder, output }: HostedTerminal, from: number) =>
  outputFolder === undefined || output.start <= from ? [] : readOutput(outputFolder, { from, to: output.start });

/** Rejects when the host goes away meanwhile. */
async function until(condition: () => boolean, host: TerminalHost): Promise<void> {
  let lost = false;
  const forget = host.onLost(() => {
    lost = true;
  });
  while (!condition()) {
    if (lost) throw new TerminalHostUnavailableError('The terminal host went away');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  forget();
}

async function within(ms: number, condition: () => boolean): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (!condition() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
  return condition();
}

const ignore = () => {};

/** A program that ends meanwhile draws no more: its last output is on the screen. */
function unlessEnded(error: unknown): void {
  if (!(error instanceof TerminalHostRefusedError && error.refusal === 'exited')) throw error;
}
