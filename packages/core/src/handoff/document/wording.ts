import { cutAtEnd } from '../../text/cut-text.js';

/** Helpers to put what others wrote into lines of a list. */

/** In one line, so that nothing in it can begin a heading, a list or a fence. */
export const oneLine = (text: string): string => (NOT_IN_LINE.test(text) ? text.replace(/\s+/g, ' ').trim() : text);

const NOT_IN_LINE = /\s\s|[^\S ]|^\s|\s$/;

export const quoted = (text: string, most: number): string => `“${cutAtEnd(oneLine(text), most)}”`;

/** As code. What holds back-ticks itself gets more of them around it. */
export function code(text: string): string {
  const line = oneLine(text);
  if (!line.includes('`')) return `\`${line}\``;
  return `\`\` ${line.replaceAll('``', "''")} \`\``;
}

export const times = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

/** `1 line`, `3 lines` */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The sentences and list entries of a text, without headings, tables and code. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .replace(/^[ \t]*(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)??[ \t]*\1[^\n]*$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(?:#|\||[-=*_]{3,}\s*$)/.test(line))
    .flatMap((line) => line.replace(/^\s*(?:[-*+]|\d+[.)])\s+/, '').split(/(?<=[.!?。])\s+(?=[A-Z“"'`*(0-9])/))
    .map(oneLine)
    .filter((sentence) => sentence.length >= MIN_SENTENCE_LENGTH);
}

const MIN_SENTENCE_LENGTH = 12;

/** Says what the agent is going to do: “Now I add the test”, “Let me run it”. A heading with a colon says nothing of the kind. */
export const isIntention = (sentence: string): boolean =>
  /^(?:(?:now|next|first|then|ok(?:ay)?|good|great|perfect|yes|alright),? )*(?:let me|let['’]s|I['’]ll|I will|I['’]m going to|I need to|now I|next I)\b/i.test(
    sentence,
  );

/** “Let me run the tests:” tells what comes next and nothing about what was found. */
export const isAnnouncement = (sentence: string): boolean =>
  /^(?:(?:now|next|first|then|ok(?:ay)?|good|great|perfect|yes),? )?(?:let me|let['’]s|I['’]ll|I will|I need to|now I)\b/i.test(
    sentence,
  ) || /:[*_]*$/.test(sentence);
