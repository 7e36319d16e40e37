import type { TerminalFeed, TerminalFeeds } from '../terminals/terminal-feeds.js';
import type { Channel, Viewer } from './channel.js';

const EVERY_MS = 500;

/** Changed rows of several screens, as text: what a page shows of terminals that it has not opened. */
export function openScreensChannel(
  channel: number,
  terminals: readonly string[],
  { viewer, feeds }: { readonly viewer: Viewer; readonly feeds: TerminalFeeds },
): Channel {
  const open = new Map<string, { readonly feed: TerminalFeed; rows: readonly string[] }>();
  let isClosed = false;
  const look = async () => {
    for (const name of terminals.filter((wanted) => !open.has(wanted))) {
      const feed = await feeds.open(name).catch(() => undefined); // it may be started later
      if (feed === undefined) continue;
      if (isClosed) return feed.release();
      open.set(name, { feed, rows: [] });
      feed.listen({
        onOutput() {},
        onGap() {},
        onResized() {},
        onEnd() {
          open.delete(name);
          feed.release();
        },
      });
    }
    if (viewer.backlogBytes > 0) return; // unread rows are older than the next ones
    for (const [name, entry] of open) {
      const { rows } = entry.feed.view();
      const changed = changedRows(entry.rows, rows);
      if (changed !== undefined)
        viewer.say({ type: 'screen', channel, terminal: name, height: rows.length, rows: changed });
      entry.rows = rows;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const repeat = () =>
    void look().finally(() => {
      if (!isClosed) timer = setTimeout(repeat, EVERY_MS);
    });
  viewer.say({ type: 'subscribed', channel });
  repeat();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const { feed } of open.values()) feed.release();
      open.clear();
    },
  };
}

/** Pure: text by its row; `undefined` where nothing changed. */
function changedRows(
  before: readonly string[],
  after: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const changed = after.flatMap((text, row) => (text === before[row] ? [] : [[String(row), text] as const]));
  return changed.length === 0 && before.length === after.length ? undefined : Object.fromEntries(changed);
}
