import { setImmediate } from 'node:timers/promises';
import type { Commit, CommitResult } from '@devs/core';
import { appendArguments, commitArguments, groupArguments } from './commit-arguments.js';
import { commitScript } from './commit-script.js';
import { COUNTERS } from './counters.js';
import { defineScript } from './redis-script.js';
import type { Evaluate } from './redis-tasks.js';
import { TIGHTEN } from './tighten.js';

/**
 * What {@link commitScript} does for a commit of events of one stream and nothing else, which most are, in a fraction of the
 * time. Answers the position, or nothing where the stream is not at the expected version: that is looked at the long way.
 *
 * ARGV: stream, expected version, commit id, events
 */
const appendScript = defineScript(`${COUNTERS}${TIGHTEN}
local call = redis.call
local log, stream = KEYS[1] .. 'log', KEYS[1] .. 'stream:' .. ARGV[1]
if versionOf(KEYS[1], ARGV[1]) ~= tonumber(ARGV[2]) then return false end
local position, mark = lastPosition(KEYS[1]), ARGV[3]
for e = 4, #ARGV do
  position = position + 1
  local id = position .. '-0'
  call('XADD', log, id, 'event', ARGV[e])
  call('XADD', stream, id, '', mark)
  mark = ''
end
tighten(stream, tonumber(ARGV[2]), tonumber(ARGV[2]) + #ARGV - 3)
return position
`);

/** While one is on its way the next is put together. */
const MAX_GROUPS = 2;
/** More would keep other clients of the server waiting. */
const MAX_COMMITS = 64;
const MAX_CHARACTERS = 1_000_000;

interface Waiting {
  readonly args: readonly (string | number)[];
  readonly characters: number;
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Commits that come while others are on their way travel together: each is still decided by itself, but the server
 * writes to its disk once for all of them.
 *
 * A server that is gone is waited for by one group after another: a commit may wait twice as long as it would alone.
 */
export function createCommitGroups(evaluate: Evaluate): (commit: Commit) => Promise<CommitResult> {
  const waiting: Waiting[] = [];
  let groups = 0;

  async function sendAll(): Promise<void> {
    groups++;
    while (waiting.length > 0) {
      const settle = await sendGroup(takeGroup(waiting), evaluate);
      if (waiting.length === 0) {
        groups--;
        return settle();
      }
      settle();
      await setImmediate(); // lets callers that continue at once join the next group
    }
    groups--;
  }

  const enter = (commit: Commit) =>
    new Promise<CommitResult>((resolve, reject) => {
      const args = commitArguments(commit);
      const characters = args.reduce<number>((sum, part) => sum + String(part).length, 0);
      waiting.push({ args, characters, resolve, reject });
      if (groups < MAX_GROUPS) void sendAll();
    });

  /** Alone on its way, which most commits are. */
  async function sendAlone(commit: Commit, args: readonly (string | number)[]): Promise<CommitResult> {
    groups++;
    let position: unknown;
    try {
      position = await evaluate(appendScript, args);
    } finally {
      groups--;
      if (waiting.length > 0) void sendAll();
    }
    return typeof position === 'number' ? { committed: true, position } : enter(commit);
  }

  return (commit) => {
    const args = groups === 0 && waiting.length === 0 ? appendArguments(commit) : undefined;
    return args === undefined ? enter(commit) : sendAlone(commit, args);
  };
}

/** Never rejects; the returned function settles the callers. */
async function sendGroup(group: readonly Waiting[], evaluate: Evaluate): Promise<() => void> {
  try {
    const replies = (await evaluate(commitScript, groupArguments(group.map(({ args }) => args)))) as readonly Reply[];
    return () => {
      for (const [index, reply] of replies.entries()) group[index]?.resolve(parseReply(reply));
    };
  } catch (error) {
    return () => {
      for (const { reject } of group) reject(error);
    };
  }
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let count = 1;
  let characters = waiting[0]?.characters ?? 0;
  while (count < MAX_COMMITS) {
    characters += waiting[count]?.characters ?? Number.POSITIVE_INFINITY;
    if (characters > MAX_CHARACTERS) break;
    count++;
  }
  return waiting.splice(0, count);
}

type Reply = readonly [1, number] | readonly [0, string, number];

const parseReply = (reply: Reply): CommitResult =>
  reply[0] === 1 ? { committed: true, position: reply[1] } : { committed: false, stream: reply[1], version: reply[2] };
