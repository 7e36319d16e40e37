import { clip } from '../../screen/clip.js';

const MOST_COLUMNS = 60;
/**
 * All that means something to Mermaid, to HTML, or to the placeholders that Mermaid puts in for entities. Also a colon:
 * Mermaid takes `style …:…#…;` for a style in any place, and a semicolon away from it.
 */
const MEANINGFUL = /[^\p{L}\p{M}\p{N} .,!?/+*=_'…·×↵-]|[ﬂ°¶ß]/gu;

/** Foreign text, as Mermaid shows it between quotes: special characters become entities. */
export const mermaidLabel = (text: string): string =>
  clip(text, MOST_COLUMNS).replace(MEANINGFUL, (character) => `#${character.codePointAt(0)};`);
