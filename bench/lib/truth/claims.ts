import { readHandoffText, type SectionId } from '@devs/core';

/** A line or a quote of a handoff, as its reader has it. */
export interface Claim {
  readonly section: SectionId;
  readonly form: 'line' | 'quote';
  readonly label: string;
  readonly text: string;
}

export const claimsIn = (document: string): readonly Claim[] =>
  readHandoffText(document).sections.flatMap(({ id, items }) =>
    items.map(({ form, label = '', text }) => ({
      section: id,
      form: form === 'quote' ? ('quote' as const) : ('line' as const),
      label,
      text,
    })),
  );

/** What stands in back-ticks at the beginning. */
export const codeAtStart = (text: string): string | undefined => {
  const [, long, short] = /^(?:`` (.*?) ``|`([^`]+)`)/s.exec(text) ?? [];
  return long ?? short;
};

/** All that stands in back-ticks. */
export const codesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`` (.*?) ``|`([^`]+)`/gs)].map(([, long, short]) => long ?? short ?? '');

/** The words in quotation marks at the end or the whole of a line, without the sign that there was more. */
export const quotedIn = (text: string): string | undefined => /“([\s\S]*)”[^”]*$/.exec(text)?.[1];

const CUT = /\s*\[…\]\s*/;

/** The parts of a text between the signs that there was more. */
export const partsBetweenCuts = (text: string): readonly string[] => text.split(CUT).filter((part) => part !== '');

/** As texts are compared: letters and digits only, without the numbers of lists. */
export const squeezed = (text: string): string =>
  text.replace(/(^|\s)\d+[.)](?=\s|$)/g, '$1').replace(/[^\p{L}\p{N}]+/gu, '');
