import type { HandoffItem } from '../document/handoff-document.js';
import { OPEN } from '../document/sections/task-items.js';
import { shortQuote } from '../render/render-item.js';

/** Whether a text says what the item says, in whatever marks: a quote at least with its beginning. */
export const tells = (text: PlainText, item: HandoffItem): boolean => text.includes(traceOf(item));

/** A text as `tells` compares it. */
export type PlainText = string & { readonly plain: unique symbol };

/** In one line, without back-ticks and quotation marks. */
export const plainText = (text: string): PlainText =>
  text
    .replace(/[`'’“”"]+/g, '')
    .replace(/\s+/g, ' ')
    .trim() as PlainText;

function traceOf({ form, text }: HandoffItem): string {
  if (form === 'quote') return plainText(shortQuote(text).replace(CUT, ''));
  return plainText(text.replace(CUT, '').replace(/ failed$/, '')).replace(PREFIX, '');
}

const CUT = /\s*\[…\]([”`]*)$/;
const PREFIX = new RegExp(`^${OPEN.replace(/[[\]]/g, '\\$&')}`);
