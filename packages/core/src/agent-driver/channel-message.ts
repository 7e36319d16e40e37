/** What is asked of an agent program of devs over the input of its terminal. */
export type ChannelMessage =
  | { readonly do: 'prompt'; readonly id: string; readonly text: string }
  | { readonly do: 'interrupt' | 'compact' | 'clear' | 'usage' }
  | { readonly do: 'answer'; readonly requestId: string; readonly choice: string; readonly words?: string };

const START = '\u001b_devs:';
const END = '\u001b\\';

/**
 * As one control sequence (APC), which no key and no paste looks like. Only those who hold the terminal can write into its input, so
 * nothing else has to be guarded.
 */
export const encodeChannelMessage = (message: ChannelMessage): string => `${START}${JSON.stringify(message)}${END}`; // JSON escapes ESC

/** `undefined` for any other sequence, and for a message that is not understood. */
export function decodeChannelMessage(sequence: string): ChannelMessage | undefined {
  if (!sequence.startsWith(START) || !sequence.endsWith(END)) return undefined;
  try {
    const message: unknown = JSON.parse(sequence.slice(START.length, -END.length));
    return isMessage(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function isMessage(value: unknown): value is ChannelMessage {
  if (typeof value !== 'object' || value === null || !('do' in value)) return false;
  const has = (name: string) => typeof (value as Readonly<Record<string, unknown>>)[name] === 'string';
  switch (value.do) {
    case 'prompt':
      return has('id') && has('text');
    case 'answer':
      return has('requestId') && has('choice') && (has('words') || !('words' in value));
    case 'interrupt':
    case 'compact':
    case 'clear':
    case 'usage':
      return true;
    default:
      return false;
  }
}
