import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '@devs/core';
import type { TerminalHost } from '@devs/terminals';
import { visible } from '../../screen/visible.js';
import { describeRenewal } from '../describe-renewal.js';
import { createNoticeBoard } from '../notices/notice-board.js';
import { type PrefixKey, prefixKeyOf } from '../relay/prefix-keys.js';
import { type Relay, type RelayEnd, type RelayRequest, relayTerminal } from '../relay/relay-terminal.js';
import type { TerminalDeps } from '../terminal-world.js';
import { describeWindow, titleWord } from './describe-window.js';
import { type FollowedTerminal, followTerminal } from './follow-terminal.js';

export interface SessionRequest {
  readonly world: TerminalDeps;
  readonly name: string;
  /** Where its agent works. */
  readonly folder: string;
  readonly manner: 'use' | 'watch';
  readonly from: 'start' | 'screen';
  /** Name of this window for the supervisor; missing where the supervisor does not hold the terminal, or nothing is typed. */
  readonly window?: string;
}

export interface SessionEnd {
  readonly end: RelayEnd;
  readonly exitCode: number;
}

/** The user in front of one terminal: the host shows it, the supervisor says what happens. */
export async function runSession({ world, name, folder, manner, from, window }: SessionRequest): Promise<SessionEnd> {
  const { local, places } = world;
  const { settings } = await world.choicesIn(folder);
  const prefix = prefixKeyOf(settings);
  const { connectHost } = await world.loadTerminals();
  let { host } = await connectHost({ folder: places.hostFolder });
  const said = createLines();
  const board = createNoticeBoard(world, settings, { name, folder }, said.relay);
  const title = createTitle(
    () => (settings.terminals.title ? titleWord(followed?.news?.status, prefix) : ''),
    said.relay,
  );
  const onChange = () => {
    title.changed();
    const note = describeWindow(followed?.news ?? {});
    if (note !== undefined) said.once(`devs: ${note}`);
  };
  const ears = { onNotice: board.take, onChange, onSaid: said.show };
  const followed =
    window === undefined ? undefined : followTerminal(world, { name, window, isFirst: from === 'start', ...ears });
  const show = async (shown: RelayRequest['from']): Promise<RelayEnd> => {
    const relay = await relayTerminal({
      host,
      name,
      local,
      manner,
      from: shown,
      prefix,
      titleWord: title.word,
      isReplaced: () => isReplacing(world, name),
      onTyped: () => followed?.typed(),
      onRenew:
        followed === undefined ? () => {} : createRenew({ clock: world.clock, prefix }, name, followed, said.show),
    });
    said.begin(relay);
    title.changed();
    return relay.ended;
  };
  try {
    let end = await show(from);
    while (end.kind === 'host-lost' && followed !== undefined) {
      said.stop();
      world.warn(`devs: the process that holds the terminals has died; "${name}" continues in the next one.`);
      host.close();
      const next = await hostedAgain(world, name, followed);
      if (next === undefined) break;
      host = next;
      end = await show('start');
    }
    if (end.kind === 'exited' && followed !== undefined) await letGo(followed, host, name);
    if (end.kind === 'detached') await followed?.leave();
    return { end, exitCode: exitCodeOf(end) };
  } finally {
    followed?.close();
    host.close();
  }
}

const AGAIN_MS = 100;

/** The host that holds the terminal again, once its supervisor has started its agent there. `undefined` where that does not happen. */
async function hostedAgain(
  { loadTerminals, places }: TerminalDeps,
  name: string,
  { over }: FollowedTerminal,
): Promise<TerminalHost | undefined> {
  const { connectHost } = await loadTerminals();
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  for (; !isOver; await pause(AGAIN_MS)) {
    const host = await connectHost({ folder: places.hostFolder }).then(
      (connected) => connected.host,
      () => undefined, // it is being started
    );
    const hosted = await host?.list().catch(() => []);
    if (hosted?.some(({ terminalId, exit }) => terminalId === name && exit === undefined)) return host;
    host?.close();
  }
  return undefined;
}

/** Lines at the bottom of the window: what comes before it is drawn is shown then. */
function createLines() {
  let relay: Relay | undefined;
  let early: string[] = [];
  let last: string | undefined;
  const show = (line: string) => {
    if (relay === undefined) early.push(line);
    else relay.show(line);
  };
  return {
    relay: () => relay,
    show,
    /** The same line again says nothing. */
    once(line: string) {
      if (line !== last) show(line);
      last = line;
    },
    /** What comes is shown when it is drawn again. */
    stop() {
      relay = undefined;
    },
    begin(drawn: Relay) {
      relay = drawn;
      for (const line of early) relay.show(line);
      early = [];
    },
  };
}

function createTitle(read: () => string, relay: () => Relay | undefined) {
  let word = '';
  return {
    word: () => word,
    changed() {
      const next = read();
      if (next === word) return;
      word = next;
      relay()?.titleChanged();
    },
  };
}

/** So long the second press means that the draft may go. */
const DRAFT_MS = 15_000;

function createRenew(
  { clock, prefix }: Pick<TerminalDeps, 'clock'> & { readonly prefix: PrefixKey | undefined },
  name: string,
  followed: FollowedTerminal,
  show: (line: string) => void,
): () => void {
  let draftSaidAt = Number.NEGATIVE_INFINITY;
  const renew = async (): Promise<void> => {
    const dropsDraft = clock.now() - draftSaidAt < DRAFT_MS;
    show('devs: renewing; what you type until the new agent is there is not sent');
    const outcome = await followed.renew({ dropsDraft }).catch((error: unknown) => ({
      status: 'failed' as const,
      error: messageOf(error),
    }));
    const isDraft = outcome.status === 'refused' && outcome.reason === 'draft';
    draftSaidAt = isDraft ? clock.now() : Number.NEGATIVE_INFINITY;
    const again = `${prefix?.label ?? ''} r`;
    show(
      isDraft
        ? `devs: not renewed: what you have typed would be lost. Send it, or press ${again} again to drop it`
        : visible(`devs: ${describeRenewal(outcome, { name, isHere: true }).join(' · ')}`),
    );
  };
  return () => void renew();
}

/** Whether another process is about to take the place of the agent. */
const isReplacing = async ({ supervisor }: TerminalDeps, name: string): Promise<boolean> => {
  const now = await supervisor.ask((port) => port.terminals.wait(name, { seen: -1 })).catch(() => undefined);
  return now?.status?.isReplacing === true;
};

const RECORD_MS = 5_000;

/** The user has seen it end: it is recorded, and the host need not keep it. */
async function letGo(followed: FollowedTerminal, host: TerminalHost, name: string): Promise<void> {
  await Promise.race([followed.over, pause(RECORD_MS, undefined, { ref: false })]);
  await host.forget(name).catch(() => {}); // another one runs under this name already
}

function exitCodeOf(end: RelayEnd): number {
  switch (end.kind) {
    case 'exited': {
      const { exitCode = 0, signal = 0 } = end.terminal.exit ?? {};
      return signal > 0 ? 128 + signal : exitCode;
    }
    case 'detached':
      return 0;
    case 'host-lost':
      return 1;
    case 'ended':
      return 128 + constants.signals[end.by === 'hung-up' ? 'SIGHUP' : end.by];
  }
}
