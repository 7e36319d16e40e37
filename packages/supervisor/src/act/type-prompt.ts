import {
  type AgentDriver,
  type AgentEvent,
  readInput,
  showsPrompt,
  type TypingOutcome,
  type TypingPolicy,
} from '@devs/core';
import { typeConfirmed } from '@devs/terminals';
import type { FollowedAgent } from '../follow/follow-agent.js';
import { handPrompt } from './hand-prompt.js';

export interface Typing {
  readonly agent: FollowedAgent;
  readonly driver: AgentDriver;
  readonly text: string;
  /** Whether the agent writes down what it was told, where we can read it. */
  readonly keepsRecords: boolean;
  /** What proves that it arrived. Default: the agent's own records hold it. */
  readonly proves?: (event: AgentEvent) => boolean;
  /** The agent says that it does not take it: there is nothing to wait for. */
  readonly isRefused?: () => boolean;
  readonly policy?: Partial<TypingPolicy> | undefined;
  readonly signal: AbortSignal;
  /** For an agent with a channel: the id of the prompt, or which command it is. */
  readonly id?: string;
  readonly command?: 'compact' | 'clear';
}

/** Gives an agent words and sees them in its own records, or says that it did not: over its channel, else by typing. */
export async function typePrompt(typing: Typing): Promise<TypingOutcome> {
  const { channel } = typing.agent;
  return channel === undefined ? typeInto(typing) : handPrompt(typing, channel);
}

async function typeInto({
  agent,
  driver,
  text,
  keepsRecords,
  proves,
  isRefused,
  policy,
  signal,
}: Typing): Promise<TypingOutcome> {
  let from = agent.mark();
  agent.noteTyped(text);
  const refused = new AbortController();
  const isProof = proves ?? ((event: AgentEvent) => provesPrompt(event, text) || (!keepsRecords && showsWork(event)));
  const outcome = await typeConfirmed({
    terminal: {
      look: agent.view,
      write(data) {
        // The end of a turn before this one is no proof: only what came after the last key.
        if (!keepsRecords) from = agent.mark();
        return agent.write(data);
      },
    },
    text,
    readInput: (view, wanted) => readInput(view, wanted, driver.input),
    async isDelivered() {
      if (isRefused?.()) refused.abort();
      await agent.look();
      return agent.since(from).some(isProof);
    },
    policy: { ...driver.typing, ...policy },
    signal: AbortSignal.any([signal, refused.signal]),
  });
  signal.throwIfAborted();
  return outcome;
}

const provesPrompt = (event: AgentEvent, text: string): boolean =>
  event.type === 'conversation.grew' && showsPrompt(event.events, text);

/** Where an agent keeps no records that can be read, that it went to work is all there is to see. */
export const showsWork = (event: AgentEvent): boolean =>
  (event.type === 'signal.seen' && event.says === 'busy') || event.type === 'turn.ended';
