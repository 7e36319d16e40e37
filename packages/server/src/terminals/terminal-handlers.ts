import { ApiError } from '@devs/api';
import type { Handlers, ServedSupervisor } from '../served-supervisor.js';
import type { TerminalFeed, TerminalFeeds } from './terminal-feeds.js';

type TerminalName = 'terminals.get' | 'terminals.keys' | 'terminals.resize' | 'terminals.screen';

export const createTerminalHandlers = (
  supervisor: ServedSupervisor,
  feeds: TerminalFeeds,
): Pick<Handlers, TerminalName> => ({
  async 'terminals.get'({ terminal: name }, context) {
    const { terminals } = (await supervisor.handlers['terminals.list']?.({}, context)) ?? { terminals: [] };
    const found = terminals.find((terminal) => terminal.name === name);
    if (found === undefined) throw new ApiError('not-found', `there is no terminal ${name}`);
    return found;
  },
  'terminals.keys': ({ terminal: name, keys }) =>
    withFeed(feeds, name, async (feed) => {
      supervisor.user(name, { typed: true });
      return { outcome: await feed.type(keys) };
    }),
  'terminals.resize': ({ terminal: name, columns, rows }) =>
    withFeed(feeds, name, async (feed) => {
      await feed.resize({ columns, rows });
      return { status: 'done' };
    }),
  'terminals.screen': ({ terminal: name }) => withFeed(feeds, name, async (feed) => feed.view()),
});

async function withFeed<Result>(
  feeds: TerminalFeeds,
  name: string,
  job: (feed: TerminalFeed) => Promise<Result>,
): Promise<Result> {
  const feed = await feeds.open(name).catch((error: unknown) => {
    const isUnknown = (error as { refusal?: unknown }).refusal === 'unknown-terminal';
    throw isUnknown ? new ApiError('not-found', `no terminal ${name} runs`) : error;
  });
  try {
    return await job(feed);
  } finally {
    feed.release();
  }
}
