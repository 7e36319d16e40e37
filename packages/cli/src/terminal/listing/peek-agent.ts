import { readFile } from 'node:fs/promises';
import {
  type AgentDriver,
  type AgentEvent,
  type ContextUsage,
  observeTerminal,
  startedTerminal,
  type TerminalState,
} from '@devs/core';
import { type HostedTerminal, openScreen, type TerminalHost } from '@devs/terminals';

export interface PeekedAgent {
  readonly state: TerminalState;
  readonly usage?: ContextUsage;
  readonly conversationId?: string;
}

interface PeekRequest {
  readonly host: TerminalHost;
  readonly hosted: HostedTerminal;
  readonly driver: AgentDriver;
  readonly place: {
    readonly folder: string;
    readonly home: string;
    readonly env: Readonly<Record<string, string | undefined>>;
  };
  readonly conversationId?: string;
}

/** One look at an unsupervised agent, without touching it. */
export async function peekAgent({ host, hosted, driver, place, conversationId }: PeekRequest): Promise<PeekedAgent> {
  let seen: PeekedAgent = { state: startedTerminal(hosted.spawnedAt) };
  const take = (event: AgentEvent) => {
    if (event.type === 'usage.measured') seen = { ...seen, usage: event.usage };
    else if (event.type === 'conversation.changed' || event.type === 'conversation.grew')
      seen = { ...seen, conversationId: event.conversationId };
    else if (event.type === 'signal.seen' || event.type === 'background.counted')
      seen = { ...seen, state: observeTerminal(seen.state, event) };
  };
  const env = (await environmentOf(hosted.pid)) ?? place.env;
  const screen = await openScreen({ host, terminalId: hosted.terminalId });
  const watch = driver.watch({
    folder: place.folder,
    home: env.HOME ?? place.home,
    env,
    pid: hosted.pid,
    startedAt: hosted.spawnedAt,
    args: [],
    ...(conversationId === undefined ? {} : { conversationId }),
    onEvent: take,
  });
  try {
    watch.seeScreen(screen.screen.view());
    await watch.look();
    return seen;
  } finally {
    watch.close();
    await screen.close();
  }
}

/** Where its own files are is said by what it was started with. `undefined` where that cannot be read, as on a Mac. */
async function environmentOf(pid: number): Promise<Readonly<Record<string, string>> | undefined> {
  const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  if (text === '') return undefined;
  const pairs = text.split('\0').flatMap((line) => {
    const at = line.indexOf('=');
    return at <= 0 ? [] : [[line.slice(0, at), line.slice(at + 1)] as const];
  });
  return Object.fromEntries(pairs);
}
