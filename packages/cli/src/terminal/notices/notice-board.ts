import { spawn } from 'node:child_process';
import { messageOf, type Settings } from '@devs/core';
import type { TerminalNotice } from '@devs/supervisor';
import { prefixKeyOf } from '../relay/prefix-keys.js';
import type { Relay } from '../relay/relay-terminal.js';
import type { TerminalSurroundings } from '../terminal-world.js';
import { describeNotice } from './describe-notice.js';

/** After recent typing, the user sees the event themselves. */
const SEES_MS = 3_000;

/** Notifies the user of a terminal: by bell and title if they are watching, and by their own program anywhere. */
export function createNoticeBoard(
  { clock, timeZone, env }: Pick<TerminalSurroundings, 'clock' | 'timeZone' | 'env'>,
  { notices, terminals }: Pick<Settings, 'notices' | 'terminals'>,
  { name, folder }: { readonly name: string; readonly folder: string },
  relay: () => Relay | undefined,
): { take(notice: TerminalNotice, run?: string): void } {
  return {
    take(notice, run) {
      const calendar = { now: clock.now(), timeZone };
      const { audience, text } = describeNotice(notice, prefixKeyOf({ terminals })?.label ?? '', calendar);
      if (audience === 'nobody') return;
      const here = relay();
      const looks = here?.isFocused === true || (here !== undefined && clock.now() - here.typedAt < SEES_MS);
      if (notice.kind === 'done' && looks) return; // the user ended it themselves
      const line = `${name} ${text}`;
      if (notices.bell && !(looks && notice.kind === 'waiting')) here?.notify(line);
      // The supervisor itself runs the program for a run, once, with or without a window.
      if (run !== undefined || audience !== 'user' || notices.command.length === 0) return;
      const about = { DEVS_TERMINAL: name, DEVS_NOTICE: notice.kind, DEVS_NOTICE_TEXT: text };
      runNotifyCommand({ command: notices.command, text: line, folder, env, about }, () => {});
    },
  };
}

interface NotifyRequest {
  readonly command: readonly string[];
  /** As the last argument. */
  readonly text: string;
  /** The project that it is about. */
  readonly folder: string;
  /** Of the user who is told, and not of the process that tells. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it is about, as variables. */
  readonly about: Readonly<Record<string, string>>;
}

/** Starts the user's own program and does not wait for it. What is the matter with it is told, and nothing else happens. */
export function runNotifyCommand(request: NotifyRequest, onProblem: (problem: string) => void): void {
  const { command, text, folder, env, about } = request;
  const [file, ...args] = command;
  if (file === undefined) return;
  try {
    const child = spawn(file, [...args, text], {
      stdio: 'ignore',
      detached: true,
      cwd: folder,
      env: { ...env, ...about },
    });
    child.on('error', (error) => onProblem(`${file}: ${error.message}`));
    child.unref();
  } catch (error) {
    onProblem(`${file}: ${messageOf(error)}`);
  }
}
