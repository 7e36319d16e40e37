import { createLedger, type GitEvidence, type Ledger } from '@devs/core';
import { readLedger } from '@devs/drivers';
import { readWorktree } from '@devs/worktree';
import type { Supervision } from '../supervision.js';

/** What is known of a conversation without trusting its agent. */
export interface Evidence {
  readonly ledger: Ledger;
  /** Where there was one to read. */
  readonly transcript?: string;
  readonly git?: GitEvidence;
}

export async function gatherEvidence(supervision: Supervision, agentId: string): Promise<Evidence> {
  const { agentProcess, record } = supervision;
  await agentProcess.agent?.look();
  const known = record.facts.agent;
  const path =
    agentProcess.agent?.agentId === agentId && agentProcess.agent.seen.path !== undefined
      ? agentProcess.agent.seen.path
      : known?.agentId === agentId
        ? known.path
        : undefined;
  const [ledger, git] = await Promise.all([readConversation(supervision, path), readGit(supervision)]);
  return {
    ledger: ledger ?? createLedger(),
    ...(ledger === undefined || path === undefined ? {} : { transcript: path }),
    ...(git === undefined ? {} : { git }),
  };
}

async function readConversation(
  { source, patience }: Supervision,
  path: string | undefined,
): Promise<Ledger | undefined> {
  if (source === undefined || path === undefined) return undefined;
  const reading = readLedger({ source, path, signal: patience.signal });
  return reading.then(
    ({ ledger }) => ledger,
    () => {
      patience.signal.throwIfAborted();
      return undefined; // gone, or not to be read: what git and the agent say is left
    },
  );
}

async function readGit({ agentProcess, patience }: Supervision): Promise<GitEvidence | undefined> {
  const { folder, env } = agentProcess.place;
  const reading = await readWorktree(folder, { env, signal: patience.signal });
  patience.signal.throwIfAborted();
  return reading.outcome === 'read' ? reading.worktree : undefined;
}
