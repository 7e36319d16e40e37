import { basename } from 'node:path';
import type { AcpAgentConfig } from '@devs/core';

/**
 * What is known of agents by trying them: how they are asked to compact, where they report that they did. Of all others nothing is
 * believed, as the same words go to the model, or are swallowed. No agent is trusted to open a conversation again, and clearing is a
 * new session for every agent.
 */
const KNOWN: Readonly<Record<string, { readonly compact: string }>> = {
  'claude-agent-acp': { compact: '/compact' },
  'codex-acp': { compact: '/compact' },
};

/** What the agent takes as a prompt to shorten its conversation; nothing where it is not known to report it. */
export function compactionOf({ acp, compact }: Pick<AcpAgentConfig, 'acp' | 'compact'>): string | undefined {
  if (compact !== undefined) return compact;
  const names = acp.map((word) => basename(word).replace(/@[\d.]+$/, '')); // also behind `npx`
  return Object.entries(KNOWN).find(([name]) => names.includes(name))?.[1].compact;
}
