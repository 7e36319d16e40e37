import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WatchRequest } from '@devs/core';
import type { AgentEyes, Located } from '../../driving/create-agent-watch.js';
import type { Standing } from '../../driving/standing.js';
import { isHeld, readChannelState, readChannelThread } from '../channel/channel-files.js';
import { createCodexParser } from '../create-codex-parser.js';
import { readCodexHook, readCodexScreen, readCodexTitle } from './codex-screen.js';
import { codexStanding, isTellingForCodex } from './codex-standing.js';
import { findRollout, newestRollout, openConversations, readRolloutStart } from './find-rollout.js';

type Found = { readonly conversationId: string; readonly path?: string };

/** Codex's traces: rollout, title, screen. It has no status file; its open files identify its rollout. */
export function codexEyes(request: WatchRequest): AgentEyes {
  const { home, env, pid, startedAt, folder } = request;
  const base = env.CODEX_HOME || join(home, '.codex');
  const [sessions, locks] = [join(base, 'sessions'), join(base, 'thread-writer-locks')];
  const seen = new Set<string>();
  const subAgents = new Set<string>();

  const held = request.privateFolder !== undefined && isHeld(request.privateFolder) ? request.privateFolder : undefined;

  const locate = async (known: Located | undefined, standing: Standing): Promise<Located | undefined> => {
    const state = held === undefined ? undefined : await readChannelState(held, pid);
    if (held === undefined || state?.kind === 'typed') return locateOpened(known, standing);
    const thread = await readChannelThread(held, pid);
    if (thread === undefined) return undefined;
    const path = known?.conversationId === thread.id ? known.path : undefined;
    const rollout = path ?? (await findRollout(sessions, thread.id));
    return {
      conversationId: thread.id,
      ...(rollout === undefined ? {} : { path: rollout }),
      listen: new Map([
        [held, (name) => name.startsWith('codex-')],
        ...(rollout === undefined ? [] : [[dirname(rollout), (name: string) => rollout.endsWith(name)] as const]),
      ]),
    };
  };

  const locateOpened = async (known: Located | undefined, standing: Standing): Promise<Located | undefined> => {
    const now = knownConversation(known, request);
    const opened = (await mayHaveChanged(now)) ? await findOpened(now, standing) : undefined;
    const found = opened ?? now ?? (canSee ? undefined : await newestRollout(sessions, { folder, startedAt }));
    if (found === undefined) return undefined;
    const path = found.path ?? (await findRollout(sessions, found.conversationId));
    return {
      conversationId: found.conversationId,
      ...(path === undefined ? {} : { path }),
      listen: new Map([
        [locks, (name) => name.endsWith('.lock')],
        ...(path === undefined ? [] : [[dirname(path), (name: string) => path.endsWith(name)] as const]),
      ]),
    };
  };

  /** To look through the files of a process takes long: every conversation that is opened leaves a lock in this folder. */
  let lockedAt: number | undefined;
  /** A conversation is open whose owner is not known yet. */
  let undecided = false;
  /** The system reports the open files of the process: no guessing by folder and time. */
  let canSee = false;
  const mayHaveChanged = async (now: Found | undefined): Promise<boolean> => {
    const changedAt = (await stat(locks).catch(() => undefined))?.mtimeMs;
    const isSame = changedAt !== undefined && changedAt === lockedAt && now?.path !== undefined && !undecided;
    lockedAt = changedAt;
    return !isSame;
  };

  /** The last opened rollout, without those of its sub-agents. */
  const findOpened = async (now: Found | undefined, standing: Standing): Promise<Found | undefined> => {
    const opened = await openConversations(pid);
    const fresh: Found[] = [];
    undecided = false;
    canSee = opened !== undefined;
    if (opened === undefined) return undefined;
    for (const [conversationId, path] of opened) {
      if (seen.has(conversationId) || subAgents.has(conversationId)) continue;
      if (path !== undefined && (await readRolloutStart(path))?.isSubAgent === true) {
        subAgents.add(conversationId);
        continue;
      }
      // Without a rollout, a turn that has just begun looks like a sub-agent.
      if (path === undefined && now !== undefined && standing.activity?.says === 'busy') {
        undecided = true;
        continue;
      }
      fresh.push({ conversationId, ...(path === undefined ? {} : { path }) });
    }
    for (const { conversationId } of fresh) seen.add(conversationId);
    const newest = await newestOf(fresh);
    const current = now === undefined ? undefined : opened.get(now.conversationId);
    if (newest !== undefined) return newest;
    return now === undefined || current === undefined ? undefined : { ...now, path: current };
  };

  return {
    locate,
    transcript: { createParser: createCodexParser, isTelling: isTellingForCodex },
    recordStanding: codexStanding,
    windowOf: ({ usage }) =>
      request.windowTokens !== undefined
        ? { windowTokens: request.windowTokens, source: 'configured' }
        : usage?.windowTokens !== undefined
          ? { windowTokens: usage.windowTokens, source: 'recorded' }
          : { windowTokens: 0, source: 'unknown' },
    readTitle: readCodexTitle,
    readScreen: readCodexScreen,
    readHook: readCodexHook,
  };
}

function knownConversation(known: Located | undefined, { conversationId }: WatchRequest): Found | undefined {
  if (known?.conversationId !== undefined) {
    return { conversationId: known.conversationId, ...(known.path === undefined ? {} : { path: known.path }) };
  }
  return conversationId === undefined ? undefined : { conversationId };
}

/** Ids grow with time; of several opened before the watch began, the last written one is in use. */
async function newestOf(found: readonly Found[]): Promise<Found | undefined> {
  const dated = await Promise.all(
    found.map(async (one) => {
      const changed = one.path === undefined ? undefined : (await stat(one.path).catch(() => undefined))?.mtimeMs;
      return { one, at: changed ?? Number.POSITIVE_INFINITY };
    }),
  );
  const byAge = dated.toSorted((a, b) => b.at - a.at || b.one.conversationId.localeCompare(a.one.conversationId));
  return byAge[0]?.one;
}
