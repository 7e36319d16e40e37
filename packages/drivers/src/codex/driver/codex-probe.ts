import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WatchRequest } from '@devs/core';
import { configuredOrRecorded } from '../../driving/configured-or-recorded.js';
import type { AgentProbe, Located } from '../../driving/create-agent-watch.js';
import type { Standing } from '../../driving/standing.js';
import { isHeld, readChannelState, readChannelThread } from '../channel/channel-files.js';
import { createCodexParser } from '../create-codex-parser.js';
import { readCodexHook, readCodexScreen, readCodexTitle } from './codex-screen.js';
import { codexStanding, isTellingForCodex } from './codex-standing.js';
import { findRollout, newestRollout, openConversations, readRolloutStart } from './find-rollout.js';

type Found = { readonly conversationId: string; readonly path?: string };

/** Codex's traces: rollout, title, screen. It has no status file; its open files identify its rollout. */
export function codexProbe(request: WatchRequest): AgentProbe {
  const { home, env, pid } = request;
  const base = env.CODEX_HOME || join(home, '.codex');
  const sessions = join(base, 'sessions');
  const opened = new OpenedRollouts(request, { sessions, locks: join(base, 'thread-writer-locks') });
  const held = request.privateFolder !== undefined && isHeld(request.privateFolder) ? request.privateFolder : undefined;

  const locate = async (known: Located | undefined, standing: Standing): Promise<Located | undefined> => {
    const state = held === undefined ? undefined : await readChannelState(held, pid);
    if (held === undefined || state?.kind === 'typed') return opened.locate(known, standing);
    const thread = await readChannelThread(held, pid);
    if (thread === undefined) return undefined;
    const path = known?.conversationId === thread.id ? known.path : undefined;
    const rollout = path ?? (await findRollout(sessions, thread.id));
    return locatedIn({ conversationId: thread.id, ...(rollout === undefined ? {} : { path: rollout }) }, [
      held,
      (name) => name.startsWith('codex-'),
    ]);
  };

  return {
    locate,
    transcript: { createParser: createCodexParser, isRelevant: isTellingForCodex },
    recordStanding: codexStanding,
    windowOf: ({ usage }) => configuredOrRecorded(request.windowTokens, usage?.windowTokens),
    readTitle: readCodexTitle,
    readScreen: readCodexScreen,
    readHook: readCodexHook,
  };
}

/** The rollouts that a Codex in a terminal opens. */
class OpenedRollouts {
  readonly #seen = new Set<string>();
  readonly #subAgents = new Set<string>();
  #lockedAt: number | undefined;
  /** A conversation is open whose owner is not known yet. */
  #isUndecided = false;
  /** The system reports the open files of the process: no guessing by folder and time. */
  #canSee = false;

  constructor(
    private readonly request: WatchRequest,
    private readonly folders: { readonly sessions: string; readonly locks: string },
  ) {}

  async locate(known: Located | undefined, standing: Standing): Promise<Located | undefined> {
    const { sessions, locks } = this.folders;
    const now = knownConversation(known, this.request);
    const opened = (await this.#mayHaveChanged(now)) ? await this.#findOpened(now, standing) : undefined;
    const found = opened ?? now ?? (this.#canSee ? undefined : await newestRollout(sessions, this.request));
    if (found === undefined) return undefined;
    const path = found.path ?? (await findRollout(sessions, found.conversationId));
    return locatedIn({ conversationId: found.conversationId, ...(path === undefined ? {} : { path }) }, [
      locks,
      (name) => name.endsWith('.lock'),
    ]);
  }

  /** To look through the files of a process takes long: every conversation that is opened leaves a lock in this folder. */
  async #mayHaveChanged(now: Found | undefined): Promise<boolean> {
    const changedAt = (await stat(this.folders.locks).catch(() => undefined))?.mtimeMs;
    const isSame = changedAt !== undefined && changedAt === this.#lockedAt;
    this.#lockedAt = changedAt;
    return !isSame || now?.path === undefined || this.#isUndecided;
  }

  /** The last opened rollout, without those of its sub-agents. */
  async #findOpened(now: Found | undefined, standing: Standing): Promise<Found | undefined> {
    const opened = await openConversations(this.request.pid);
    this.#isUndecided = false;
    this.#canSee = opened !== undefined;
    if (opened === undefined) return undefined;
    const fresh: Found[] = [];
    for (const [conversationId, path] of opened) {
      if (this.#seen.has(conversationId) || (await this.#isSubAgent(conversationId, path))) continue;
      // Without a rollout, a turn that has just begun looks like a sub-agent.
      if (path === undefined && now !== undefined && standing.activity?.says === 'busy') this.#isUndecided = true;
      else fresh.push({ conversationId, ...(path === undefined ? {} : { path }) });
    }
    for (const { conversationId } of fresh) this.#seen.add(conversationId);
    const newest = await newestOf(fresh);
    const current = now === undefined ? undefined : opened.get(now.conversationId);
    if (newest !== undefined) return newest;
    return now === undefined || current === undefined ? undefined : { ...now, path: current };
  }

  async #isSubAgent(conversationId: string, path: string | undefined): Promise<boolean> {
    if (this.#subAgents.has(conversationId)) return true;
    if (path === undefined || (await readRolloutStart(path))?.isSubAgent !== true) return false;
    this.#subAgents.add(conversationId);
    return true;
  }
}

/** Worth another look: a change in this folder, and in the rollout. */
const locatedIn = (found: Found, listened: readonly [folder: string, isOurs: (name: string) => boolean]): Located => {
  const { path } = found;
  const rollout = path === undefined ? [] : [[dirname(path), (name: string) => path.endsWith(name)] as const];
  return { ...found, listen: new Map([listened, ...rollout]) };
};

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
