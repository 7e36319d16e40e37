import type { HandoffItem } from '../document/handoff-document.js';
import { OPEN } from '../document/sections/task-items.js';
import { partsOfShortQuote } from '../render/render-item.js';

/** Whether a text contains the item, with any marks: a quote at least with its beginning and its end. */
export const tells = (text: PlainText, item: HandoffItem): boolean =>
  tracesOf(item).every((trace) => text.includes(trace));

/** A text as `tells` compares it. */
export type PlainText = string & { readonly plain: unique symbol };

/** In one line, without back-ticks and quotation marks. */
export const plainText = (text: string): PlainText =>
  text
    .replace(/[`'’“”"]+/g, '')
    .replace(/\s+/g, ' ')
    .trim() as PlainText;

/** What a text must contain to tell of an item. */
export function tracesOf({ form, text }: HandoffItem): readonly PlainText[] {
  if (form === 'quote') return partsOfShortQuote(text).map(plainText);
  return [plainText(text.replace(CUT, '').replace(/ failed$/, '')).replace(PREFIX, '') as PlainText];
}

const CUT = /\s*\[…\]([”`]*)$/;
const PREFIX = new RegExp(`^${OPEN.replace(/[[\]]/g, '\\$&')}`);
