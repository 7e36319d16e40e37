import { namesIn } from '../names.js';
import { type SafeText, safeTexts } from '../safe-text.js';
import { addMention, type Mention, type Mentioning, worthOf } from './mention.js';
import { once } from './once.js';

export { isActedOn, type Mention, worthOf } from './mention.js';

/**
 * The names in a conversation, each with all its mentions.
 *
 * Names with an action (in requests, commands, paths, searches) are kept for long. Text that was only said or shown is
 * most of a transcript, and few of its names are ever needed again, hardly any after a while: the newest of it is
 * kept, and searched on demand.
 */
export class Mentions implements Iterable<readonly [string, Mention]> {
  readonly #acted: Map<string, Mention>;
  /** Acted on, and not looked into yet. */
  readonly #pending: { readonly text: string; readonly mentioning: Mentioning }[] = [];
  #pendingChars = 0;
  readonly #shown: ShownText[];
  #shownChars: number;
  #all: Map<string, Mention> | undefined;

  constructor({ acted = [], shown = [] }: Partial<MentionsParts> = {}) {
    this.#acted = new Map(acted);
    this.#shown = [...shown];
    this.#shownChars = this.#shown.reduce((sum, { chars }) => sum + chars, 0);
  }

  /** Names in a wish or an action. */
  act(text: string, mentioning: Mentioning): void {
    this.#all = undefined;
    this.#pending.push({ text, mentioning });
    this.#pendingChars += text.length;
    if (this.#pending.length > MAX_PENDING || this.#pendingChars > MAX_PENDING_CHARS) this.#lookIntoPending();
  }

  /** Names in what was said or shown: the text is asked for when they are wanted, if ever. */
  show(chars: number, text: () => SafeText, mentioning: Mentioning): void {
    this.#all = undefined;
    this.#shown.push({ mentioning, chars, names: once(() => namesIn(text())) });
    this.#shownChars += chars;
    while (this.#shown.length > MAX_SHOWN || this.#shownChars > MAX_SHOWN_CHARS) {
      this.#shownChars -= this.#shown.shift()?.chars ?? 0;
    }
  }

  get(name: string): Mention | undefined {
    return this.#merged().get(name);
  }

  [Symbol.iterator](): IterableIterator<[string, Mention]> {
    return this.#merged().entries();
  }

  /** What it is made of, to make it anew. */
  parts(): MentionsParts {
    this.#lookIntoPending();
    return { acted: [...this.#acted], shown: this.#shown };
  }

  #lookIntoPending(): void {
    const texts = safeTexts(this.#pending.map(({ text }) => text));
    for (const [index, { mentioning }] of this.#pending.entries()) {
      for (const name of namesIn(texts[index] as SafeText)) addMention(this.#acted, name, mentioning);
      if (this.#acted.size > MAX_ACTED) forgetLeast(this.#acted, mentioning.step);
    }
    this.#pending.length = 0;
    this.#pendingChars = 0;
  }

  #merged(): ReadonlyMap<string, Mention> {
    if (this.#all !== undefined) return this.#all;
    this.#lookIntoPending();
    this.#all = new Map();
    for (const [name, mention] of this.#acted) this.#all.set(name, { ...mention });
    for (const { mentioning, names } of this.#shown) {
      for (const name of names()) addMention(this.#all, name, mentioning);
    }
    return this.#all;
  }
}

export interface MentionsParts {
  readonly acted: readonly (readonly [string, Mention])[];
  readonly shown: readonly ShownText[];
}

export interface ShownText {
  readonly mentioning: Mentioning;
  readonly chars: number;
  readonly names: () => Iterable<string>;
  /** The names as they were kept, one on each line: most are kept again without being looked at. */
  readonly listed?: string;
}

const MAX_ACTED = 8_000;
const KEPT_ACTED = 6_000;
const MAX_PENDING = 512;
const MAX_PENDING_CHARS = 200_000;
const MAX_SHOWN = 300;
/** With twice as much, handoffs hold no more of what is needed next: names from before are hardly ever needed. */
const MAX_SHOWN_CHARS = 300_000;

function forgetLeast(mentions: Map<string, Mention>, now: number): void {
  const byWorth = [...mentions].map(([name, known]) => ({ name, worth: worthOf(known, now) }));
  byWorth.sort((a, b) => a.worth - b.worth);
  for (const { name } of byWorth.slice(0, mentions.size - KEPT_ACTED)) mentions.delete(name);
}
