import { readFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { believed, type JsonObject, type PermissionRules } from '@devs/core';
import { objectIn, parseObject, textIn } from '../../reading/json.js';

/** Where one launch of Codex over its app server keeps what its parts tell each other. */
export const channelFiles = (privateFolder: string) => ({
  launch: join(privateFolder, 'codex-channel.json'),
  /** As they are: devs looks for them among the files of a launch. */
  instructions: join(privateFolder, 'codex-instructions.md'),
  state: join(privateFolder, 'codex-channel-state.json'),
  thread: join(privateFolder, 'codex-thread.json'),
  log: join(privateFolder, 'codex-server.log'),
});

/** A program and its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** What the parts are told at the start. */
export interface ChannelLaunch {
  /** Without the address to listen at. */
  readonly server: CommandLine;
  /** Without the address and the conversation. */
  readonly screen: CommandLine;
  /** What is run where the server does not answer. */
  readonly typed: CommandLine;
  /** The conversation to open again. */
  readonly resume?: string;
  /** Of `thread/start`, besides the instructions. */
  readonly thread: JsonObject;
  readonly permissions?: PermissionRules;
}

/** By the program that holds the server; `pid`: its own. */
export type ChannelState = { readonly pid: number } & (
  | { readonly kind: 'channel'; readonly socket: string }
  | { readonly kind: 'typed'; readonly why: string }
);

/** The conversation of a process. */
export interface ChannelThread {
  readonly pid: number;
  readonly id: string;
  /** A prompt is on its way, or has arrived: another conversation beside it would do the work again. */
  readonly isAsked: boolean;
  /** One without a turn cannot be shown yet. */
  readonly hasTurn: boolean;
}

/** Whether the last launch in this folder was one over the app server. */
export function isHeld(privateFolder: string): boolean {
  try {
    const found = parseObject(readFileSync(channelFiles(privateFolder).launch, 'utf8'));
    return objectIn(found?.server) !== undefined;
  } catch {
    return false;
  }
}

export async function readChannelLaunch(privateFolder: string): Promise<ChannelLaunch | undefined> {
  const found = await readJson(channelFiles(privateFolder).launch);
  return found === undefined || objectIn(found.server) === undefined ? undefined : believed<ChannelLaunch>(found);
}

/** `undefined` until the process of this id has said so: a file may be of one before it. */
export async function readChannelState(privateFolder: string, pid: number): Promise<ChannelState | undefined> {
  const found = await readJson(channelFiles(privateFolder).state);
  return found?.pid === pid ? believed<ChannelState>(found) : undefined;
}

export async function readChannelThread(privateFolder: string, pid: number): Promise<ChannelThread | undefined> {
  const found = await readJson(channelFiles(privateFolder).thread);
  const id = textIn(found?.id);
  if (found?.pid !== pid || id === undefined) return undefined;
  return { pid, id, isAsked: found.isAsked === true, hasTurn: found.hasTurn === true };
}

/** Atomically, readable by the user only. */
export async function writeChannelFile(path: string, value: ChannelState | ChannelThread): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  await writeFile(draft, JSON.stringify(value), { mode: 0o600 });
  await rename(draft, path);
}

async function readJson(path: string): Promise<JsonObject | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : objectIn(parseObject(text));
}
