import { describe, expect, it } from 'vitest';
import { type ChannelMessage, decodeChannelMessage, encodeChannelMessage } from '../channel-message.js';

describe('messages over the input of a terminal', () => {
  const MESSAGES: readonly ChannelMessage[] = [
    { do: 'prompt', id: 'p-1', text: 'Zwei\nZeilen, \u001b[31mrot\u001b\\ und 日本語' },
    { do: 'interrupt' },
    { do: 'answer', requestId: 'r-1', choice: 'allow' },
    { do: 'answer', requestId: 'r-1', choice: 'deny', words: 'not there' },
  ];
  it.each(MESSAGES)('says $do, and nothing ends it early', (message) => {
    const sequence = encodeChannelMessage(message);
    expect(sequence.indexOf('\u001b\\')).toBe(sequence.length - 2);
    expect(decodeChannelMessage(sequence)).toEqual(message);
  });

  it.each(['\u001b_devs:{"do":"prompt"}\u001b\\', '\u001b_devs:{\u001b\\', '\u001b_other:{}\u001b\\', 'devs:{}'])(
    'takes %j for nothing',
    (sequence) => {
      expect(decodeChannelMessage(sequence)).toBeUndefined();
    },
  );
});
