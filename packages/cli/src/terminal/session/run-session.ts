import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentEvent } from '@devs/core';
import type { RenewOutcome, SuperviseRequest } from '@devs/supervisor';
import type { TerminalHost } from '@devs/terminals';
import { CliError } from '../../cli-error.js';
import { visible } from '../../screen/visible.js';
import { askControl } from '../control/ask-control.js';
import { describeRenewal } from '../describe-renewal.js';
import { createNoticeBoard } from '../notices/notice-board.js';
import { type Relay, type RelayEnd, relayTerminal } from '../relay/relay-terminal.js';
import type { TerminalWorld } from '../terminal-world.js';
import type { ControlStatus } from './answer-control.js';
import { describeWindow } from './describe-window.js';
import { type KeptTerminal, keepSupervised } from './keep-supervised.js';
import { leaveKeeper } from './leave-keeper.js';
import { NameTakenError } from './name-taken-error.js';
import { titleWord } from './title-word.js';

export interface SessionRequest {
  readonly world: TerminalWorld;
  readonly name: string;
  /** Where its agent works. */
  readonly folder: string;
  readonly manner: 'use' | 'watch';
  readonly from: 'start' | 'screen';
  /** How it is supervised; a watcher does not. */
  readonly supervision?: SuperviseRequest;
}

export interface SessionEnd {
  readonly end: RelayEnd;
  readonly exitCode: number;
}

/** The user in front of one terminal, which is supervised meanwhile. */
export async function runSession({
  world,
  name,
  folder,
  manner,
  from,
  supervision,
}: SessionRequest): Promise<SessionEnd> {
  const { local, settings, places } = world;
  let relay: Relay | undefined;
  let kept: KeptTerminal | undefined;
  let word = '';
  let draftToldAt = Number.NEGATIVE_INFINITY;
  const board = createNoticeBoard(world, (await world.choicesIn(folder)).settings, { name, folder }, () => relay);
  const readWord = () => (settings.title ? titleWord(kept?.terminal?.status(), settings.prefix) : '');
  const changed = () => {
    const next = readWord();
    if (next === word) return;
    word = next;
    relay?.titleChanged();
  };

  let windowNote: string | undefined;
  const tellWindow = (event: AgentEvent) => {
    const note = describeWindow(event);
    if (note === undefined || note === windowNote) return;
    windowNote = note;
    relay?.show(`devs: ${note}`);
  };

  if (supervision !== undefined) {
    const { outcome, kept: taken } = await keepSupervised(world, {
      ...supervision,
      attended: true,
      size: local.size(),
      onNotice: board.take,
      onChange: changed,
      onAgentEvent: tellWindow,
    });
    kept = taken;
    if (outcome.status === 'not-started') throw new CliError(`it could not be started: ${outcome.error}`);
    if (outcome.status !== 'supervised' && supervision.launch !== undefined) {
      await kept.close();
      throw new NameTakenError(name);
    }
    for (const note of kept.terminal?.status().notes ?? []) world.complain(`devs: ${visible(note)}`);
  }
  const { connectHost, identifyProcess } = await world.loadTerminals();
  const { host } = await connectHost({ folder: places.hostFolder });
  try {
    relay = await relayTerminal({
      host,
      name,
      local,
      manner,
      from,
      prefix: settings.prefix,
      titleWord: () => word,
      isReplaced: () => kept?.isReplacing === true || isReplacedByOthers(world, name, kept),
      onTyped: () => kept?.typed(),
      onLeaving: leave,
      onRenew: () => void renew(),
    });
    changed();
    if (windowNote !== undefined) relay.show(`devs: ${windowNote}`);
    const end = await relay.ended;
    if (end.kind === 'exited') await letGo(kept, host, name);
    return { end, exitCode: exitCodeOf(end) };
  } finally {
    await kept?.close();
    host.close();
  }

  /** Before anything else: whatever happens to this process on its way out, somebody looks after the agent. */
  function leave(): void {
    if (kept?.terminal !== undefined) leaveKeeper(world, name, (pid) => identifyProcess(pid) !== undefined);
  }

  async function renew(): Promise<void> {
    const dropsDraft = world.clock.now() - draftToldAt < DRAFT_MS;
    relay?.show('devs: renewing; what you type until the new agent is there is not sent');
    const outcome = await renewHereOrThere(dropsDraft).catch((error: unknown) => ({
      status: 'failed' as const,
      error: error instanceof Error ? error.message : String(error),
    }));
    const isDraft = outcome.status === 'refused' && outcome.reason === 'draft';
    draftToldAt = isDraft ? world.clock.now() : Number.NEGATIVE_INFINITY;
    const again = `${settings.prefix?.label ?? ''} r`;
    relay?.show(
      isDraft
        ? `devs: not renewed: what you have typed would be lost. Send it, or press ${again} again to drop it`
        : visible(`devs: ${describeRenewal(outcome, { name, isHere: true }).join(' · ')}`),
    );
  }
  async function renewHereOrThere(dropsDraft: boolean): Promise<RenewOutcome> {
    const here = await kept?.renew({ keepsDraft: !dropsDraft });
    if (here !== undefined) return here;
    const answer = await askControl(places.controlSocket(name), { do: 'renew', dropsDraft });
    if (answer?.status === 'done') return answer.result as RenewOutcome;
    return { status: 'failed', error: answer?.error ?? 'nobody supervises it' };
  }
}

/** So long the second press means that the draft may go. */
const DRAFT_MS = 15_000;

async function isReplacedByOthers(
  world: TerminalWorld,
  name: string,
  kept: KeptTerminal | undefined,
): Promise<boolean> {
  if (kept?.terminal !== undefined) return false;
  const answer = await askControl(world.places.controlSocket(name), { do: 'status' }, { timeoutMs: 1_000 });
  return answer?.status === 'done' && (answer.result as ControlStatus).isReplacing;
}

const RECORD_MS = 2_000;

/** The user has seen it end: it is recorded, and the host need not keep it. */
async function letGo(kept: KeptTerminal | undefined, host: TerminalHost, name: string): Promise<void> {
  const { terminal } = kept ?? {};
  if (terminal === undefined) return;
  const isRecorded = () => terminal.status().exitCode !== undefined || terminal.status().state === undefined;
  for (let waited = 0; waited < RECORD_MS && !isRecorded(); waited += 20) await pause(20);
  await kept?.close();
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
