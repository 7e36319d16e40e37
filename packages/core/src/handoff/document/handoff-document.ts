import type { Provenance } from '../../conversation/provenance.js';

/**
 * Everything that a conversation could leave to the next one, more than fits: `renderHandoff` chooses.
 * Every item says where it comes from. Its text is redacted, and is what users and agents wrote: data, never orders.
 */
export interface HandoffDocument {
  readonly version: 1;
  readonly conversation: {
    readonly id?: string;
    readonly folder?: string;
    readonly branch?: string;
    readonly model?: string;
    readonly compactions: number;
    /** How many handoffs lie between it and the conversation in which the work began. */
    readonly renewals?: number;
  };
  readonly sections: readonly HandoffSection[];
  /** How likely each name is to be needed again: what an item is worth is what it names that nothing else does. */
  readonly names: Readonly<Record<string, number>>;
}

export interface HandoffSection {
  readonly id: SectionId;
  readonly items: readonly HandoffItem[];
}

/** In the order in which a successor needs them. */
export const SECTIONS = {
  request: 'What the user wants',
  state: 'Current state',
  tasks: 'Tasks',
  done: 'Done outside this machine: do not repeat',
  decisions: 'Decisions',
  'changed-files': 'Files changed',
  'other-files': 'Relevant files, unchanged',
  commands: 'Commands that work',
  errors: 'Errors not resolved',
  failed: 'Tried without success',
  facts: 'Facts to know',
  'own-words': "From the agent's own notes",
  'last-exchange': 'The last exchange',
  rest: 'Where to find the rest',
} as const;

export type SectionId = keyof typeof SECTIONS;

export const FORMS = ['line', 'quote', 'excerpt', 'name'] as const;

export interface HandoffItem {
  /**
   * `line`: an entry of a list; those with the same label are grouped under it · `quote`: a person's words, fenced ·
   * `excerpt`: a line of a text, shown in one fence with others of the same label · `name`: listed with others of the
   * same place
   */
  readonly form: (typeof FORMS)[number];
  /** What has to be said. Of a quote, its beginning may be enough. */
  readonly text: string;
  /** What follows the text where there is room for it. */
  readonly detail?: string;
  /** Of a line, what it has in common with others; of a quote or excerpt, who says what; of a name, where it was seen. */
  readonly label?: string;
  readonly from: readonly ItemOrigin[];
  /** Besides what it names. */
  readonly worth: number;
  /** Stands in every document that has the smallest budget or more. */
  readonly required?: boolean;
  /** The share of the budget that it may take; beyond it is cut at the end of a line or sentence. */
  readonly share?: number;
  /** The share of the budget up to which it is not cut at all. */
  readonly wholeShare?: number;
}

/** A place in the transcript, what git said, or an earlier handoff. */
export type ItemOrigin = Provenance | GitOrigin | HandoffOrigin;

interface GitOrigin {
  readonly git: 'status' | 'log';
}

export interface HandoffOrigin {
  /** The conversation that left it; empty where that is not known. */
  readonly handoff: string;
}
