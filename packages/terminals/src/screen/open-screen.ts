import { readOutput } from '../output/read-output.js';
import type { HostedTerminal } from '../protocol/messages.js';
import type { TerminalHost, TerminalWatch } from '../terminal-host.js';
import { TerminalHostRefusedError, TerminalHostUnavailableError } from '../terminal-host-error.js';
import { createScreen, restoreScreen, type Screen } from './create-screen.js';
import { createScreenFeed } from './screen-feed.js';

export interface OpenScreenRequest {
  readonly host: TerminalHost;
  readonly terminalId: string;
  readonly scrollback?: number;
  /**
   * Whether questions of the program are answered from here: where nobody looks at the terminal, somebody has to, and where a
   * real terminal is attached, that one does. What was asked before we came is never answered.
   */
  readonly answersQueries?: boolean;
  /** After each change of the screen. */
  onChange?(): void;
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
  /** How many bytes were lost on the way: the screen may be wrong until the program draws it anew. */
  readonly lostBytes: number;
  answerQueries(answers: boolean): void;
  resize(size: Size): Promise<void>;
  /** Leaves the screen with the host, for whoever comes next. */
  keep(): Promise<void>;
  close(): Promise<void>;
}

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** After so much output the screen is left with the host again: a crash loses nothing that its ring does not have. */
const KEEP_BYTES = 512 << 10;
/** A screen draws 20 MB/s and an agent prints 50: more than this does not wait for it, the host's ring does. */
const PENDING_LIMIT_BYTES = 1 << 20;

/**
 * Takes up the screen of a terminal where the last client left it: the screen that it kept, then what the disk has since
 * then, then what the host has in memory, then what comes. Where something is missing the program is made to draw anew.
 */
export async function openScreen(request: OpenScreenRequest): Promise<OpenScreen> {
  const { host, terminalId } = request;
  const terminal = await findTerminal(host, terminalId);
  const { screen, from } = await recallScreen(request, terminal);
  let keptOffset = from;
  let answers = false;
  let closed = false;
  let watch: TerminalWatch | undefined;
  const feed = createScreenFeed(screen, { from, onDrawn: () => request.onChange?.() });

  const keep = async () => {
    await feed.settled();
    const data = screen.save();
    if (data === undefined) return;
    keptOffset = feed.offset;
    await host.keep(terminalId, { handle: terminal.handle, offset: feed.offset, data });
  };
  const follow = async () => {
    watch = await host.watch({
      terminalId,
      from: feed.offset,
      onOutput(bytes, offset) {
        feed.take(bytes, offset);
        if (feed.pendingBytes > PENDING_LIMIT_BYTES) rest();
        if (feed.offset - keptOffset < KEEP_BYTES) return;
        keptOffset = feed.offset;
        void keep().catch(ignore);
      },
      onResized: (size) => screen.resize(size),
      onExit: (ended) => void feed.settled().then(() => closed || request.onExit?.(ended)),
    });
    if (closed) watch.stop();
    return watch;
  };
  /** Lets the host skip what we cannot draw in time, and goes on where we are when everything is drawn. */
  const rest = () => {
    if (watch === undefined) return;
    watch.stop();
    watch = undefined;
    void feed.settled().then(() => (closed ? undefined : follow().catch(ignore))); // a lost host is known to the caller
  };
  const stopReplies = screen.onReply((answer) => {
    if (answers) void host.write(terminal, answer).catch(ignore);
  });

  for (const { bytes, offset } of missingOnDisk(terminal, from)) {
    feed.take(bytes, offset);
    await feed.settled();
  }
  const { terminal: now } = await follow();
  await until(() => feed.offset >= now.output.end, host);
  await feed.settled();
  screen.resize(now);
  answers = request.answersQueries ?? false;
  const resize = async (size: Size) => {
    await host.resize(terminalId, size);
    screen.resize(size);
  };
  if (feed.lostBytes > 0 && now.exit === undefined) await redraw(resize, now);

  return {
    terminal: now,
    screen,
    get offset() {
      return feed.offset;
    },
    get lostBytes() {
      return feed.lostBytes;
    },
    answerQueries(answer) {
      answers = answer;
    },
    resize,
    keep,
    async close() {
      closed = true;
      stopReplies();
      watch?.stop();
      await keep().catch(ignore); // the host may be gone, or the terminal forgotten
      screen.dispose();
    },
  };
}

async function findTerminal(host: TerminalHost, terminalId: string): Promise<HostedTerminal> {
  const found = (await host.list()).find((candidate) => candidate.terminalId === terminalId);
  if (found === undefined) throw new TerminalHostRefusedError('unknown-terminal', `the host has no ${terminalId}`);
  return found;
}

/** The screen that another client kept of this very start of the terminal, or an empty one. */
async function recallScreen(
  { host, terminalId, scrollback }: OpenScreenRequest,
  { handle, columns, rows }: HostedTerminal,
) {
  const options = scrollback === undefined ? {} : { scrollback };
  const kept = await host.recall(terminalId);
  const restored = kept?.handle === handle ? await restoreScreen(kept.data, options) : undefined;
  if (restored !== undefined && kept !== undefined) return { screen: restored, from: kept.offset };
  return { screen: createScreen({ columns, rows, ...options }), from: 0 };
}

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

/** A program draws everything when its terminal changes its size. */
async function redraw(resize: (size: Size) => Promise<void>, { columns, rows }: Size): Promise<void> {
  await resize({ columns, rows: rows + 1 });
  await resize({ columns, rows });
}

const ignore = () => {};
