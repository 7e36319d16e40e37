import { type ChannelMessage, decodeChannelMessage } from '@devs/core';

/** The typed line so far, and the start of an incomplete key. */
export interface LineEditor {
  readonly draft: string;
  readonly isPasting: boolean;
  /** The beginning of an escape sequence. */
  readonly pending: string;
}

export type LineEvent =
  | { readonly type: 'entered'; readonly text: string }
  /** Not by a key: over the channel. */
  | { readonly type: 'asked'; readonly message: ChannelMessage }
  /** Ctrl-C */
  | { readonly type: 'interrupted' }
  /** Ctrl-D with nothing typed */
  | { readonly type: 'ended' };

export const EMPTY_LINE: LineEditor = { draft: '', isPasting: false, pending: '' };

const PASTE_START = '\u001b[200~';
const PASTE_END = '\u001b[201~';
const CHANNEL = '\u001b_';
const KEY =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send them
  /\u001b_[^\u001b]*(?:\u001b\\|\u001b?$)|\u001b\[[0-9;?]*[ -/]*[@-~]|\u001bO.|\u001b[^[O]|\u001b\[[0-9;?]*$|\u001bO?$|[\s\S]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send them
const UNFINISHED = /^\u001b(?:\[[0-9;?]*|O|_[^\u001b]*\u001b?)?$/;

/** Pure: applies keys to the line and returns the events. Keys may arrive in pieces. */
export function editLine(editor: LineEditor, keys: string): { editor: LineEditor; events: readonly LineEvent[] } {
  let { draft, isPasting } = editor;
  let pending = '';
  const events: LineEvent[] = [];
  for (const key of (editor.pending + keys).match(KEY) ?? []) {
    const message = key.startsWith(CHANNEL) && !isPasting ? decodeChannelMessage(key) : undefined;
    if (message !== undefined) events.push({ type: 'asked', message });
    else if (UNFINISHED.test(key)) pending = key;
    else if (key === PASTE_START) isPasting = true;
    else if (key === PASTE_END) isPasting = false;
    else if (isPasting) draft += key;
    else if (key === '\r' || key === '\n') {
      events.push({ type: 'entered', text: draft.replace(/\r\n?/g, '\n') });
      draft = '';
    } else if (key === '\u0003') {
      if (draft === '') events.push({ type: 'interrupted' });
      draft = '';
    } else if (key === '\u0004') {
      if (draft === '') events.push({ type: 'ended' });
    } else if (key === '\u007f' || key === '\b') draft = [...draft].slice(0, -1).join('');
    else if (key === '\u0015') draft = '';
    else if (key === '\u0017') draft = draft.replace(/\S*\s*$/u, '');
    else if (key >= ' ' && !key.startsWith('\u001b')) draft += key;
    else if (key === '\t') draft += key;
  }
  return { editor: { draft, isPasting, pending }, events };
}
