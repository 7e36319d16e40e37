import { SECTIONS, type SectionId } from '../document/handoff-document.js';

/** Sections without room in the budget, by name: so that they do not look empty. */
export const renderLeftOut = (sections: readonly SectionId[]): string =>
  `${LEAD}${sections.map((id) => SECTIONS[id]).join(SEPARATOR)}.`;

/** What it costs to say that anything is left out, and that a section is. */
export const LEFT_OUT_LEAD = '\n\nNo room for: .';
export const leftOutName = (section: SectionId): string => `${SEPARATOR}${SECTIONS[section]}`;

const LEAD = 'No room for: ';
const SEPARATOR = '; ';
