import {
  type AgentChannel,
  type ChannelMessage,
  type ChannelRequest,
  encodeChannelMessage,
  type HandOver,
} from '@devs/core';

/** What an agent program of devs cannot do for the agent behind it. */
export type Unsupported = ReadonlySet<ChannelMessage['do']>;

/** The channel to a program of devs that holds an agent in a terminal: over the input of that terminal. */
export function createTerminalChannel(
  { write }: Pick<ChannelRequest, 'write'>,
  unsupported: Unsupported,
): AgentChannel {
  const hand = async (message: ChannelMessage): Promise<HandOver> => {
    if (unsupported.has(message.do)) return 'unsupported';
    const written = await write(encodeChannelMessage(message)).catch(() => 'exited' as const);
    return written === 'written' ? 'handed' : written === 'exited' ? 'gone' : 'full';
  };
  return {
    prompt: (text, id) => hand({ do: 'prompt', id, text }),
    interrupt: () => hand({ do: 'interrupt' }),
    compact: () => hand({ do: 'compact' }),
    clear: () => hand({ do: 'clear' }),
    usage: () => hand({ do: 'usage' }),
    answer: (requestId, choice, words) =>
      hand({ do: 'answer', requestId, choice, ...(words === undefined ? {} : { words }) }),
  };
}
