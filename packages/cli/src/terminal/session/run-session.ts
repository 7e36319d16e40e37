import { constants } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { SuperviseRequest } from '@devs/supervisor';
import type { TerminalHost } from '@devs/terminals';
import { CliError } from '../../cli-error.js';
import { askControl } from '../control/ask-control.js';
import { createNoticeBoard } from '../notices/notice-board.js';
import { type Relay, type RelayEnd, relayTerminal } from '../relay/relay-terminal.js';
import type { TerminalWorld } from '../terminal-world.js';
import type { ControlStatus } from './answer-control.js';
import { type KeptTerminal, keepSupervised } from './keep-supervised.js';
import { leaveKeeper } from './leave-keeper.js';
import { NameTakenError } from './name-taken-error.js';
import { titleWord } from './title-word.js';

export interface SessionRequest {
  readonly world: TerminalWorld;
  readonly name: string;
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
export async function runSession({ world, name, manner, from, supervision }: SessionRequest): Promise<SessionEnd> {
  const { local, settings, places } = world;
  let relay: Relay | undefined;
  let kept: KeptTerminal | undefined;
  let word = '';
  let isLeft = false;
  const board = createNoticeBoard(world, name, () => relay);
  const readWord = () => (settings.title ? titleWord(kept?.terminal?.status(), settings.prefix) : '');
  const changed = () => {
    const next = readWord();
    if (next === word) return;
    word = next;
    relay?.titleChanged();
  };

  if (supervision !== undefined) {
    // Whoever kept it while its user was away lets go; somebody who sits in front of it himself does not.
    await askControl(places.controlSocket(name), { do: 'hand-over' }, { timeoutMs: 1_000 });
    const { outcome, kept: taken } = await keepSupervised(world, {
      ...supervision,
      attended: true,
      size: local.size(),
      onNotice: board.take,
      onChange: changed,
    });
    kept = taken;
    if (outcome.status === 'not-started') throw new CliError(`it could not be started: ${outcome.error}`);
    if (outcome.status !== 'supervised' && supervision.launch !== undefined) {
      await kept.close();
      throw new NameTakenError(name);
    }
  }
  const { connectHost } = await world.loadTerminals();
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
      onTyped: () => kept?.terminal?.user({ typed: true }),
      onRenew: () => void renew(),
    });
    changed();
    const end = await relay.ended;
    isLeft = end.kind === 'detached' || end.kind === 'ended';
    if (end.kind === 'exited') await letGo(kept, host, name);
    return { end, exitCode: exitCodeOf(end) };
  } finally {
    const hasTerminal = kept?.terminal !== undefined;
    await kept?.close();
    host.close();
    if (hasTerminal && isLeft) leaveKeeper(world, name);
  }

  async function renew(): Promise<void> {
    relay?.show('devs: renewing; what you type until the new agent is there is not sent');
    const outcome = await renewHereOrThere().catch((error: unknown) => ({
      status: 'failed',
      error: error instanceof Error ? error.message : String(error),
    }));
    const { status, reason, error } = (outcome ?? { status: 'failed', error: 'nobody supervises it' }) as Outcome;
    if (status === 'renewed') relay?.show(`devs: renewed. Back to the conversation before: devs renew ${name} --undo`);
    else
      relay?.show(
        `devs: not renewed${reason === undefined ? '' : `: ${reason}`}${error === undefined ? '' : `: ${error}`}`,
      );
  }
  async function renewHereOrThere(): Promise<unknown> {
    if (kept?.terminal !== undefined) return kept.renew();
    const answer = await askControl(places.controlSocket(name), { do: 'renew' });
    return answer?.status === 'done' ? answer.result : answer;
  }
}

interface Outcome {
  readonly status: string;
  readonly reason?: string;
  readonly error?: string;
}

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
