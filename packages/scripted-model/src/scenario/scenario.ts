import type { ApiName } from '../request/model-request.js';
import type { Purpose } from '../request/purpose-of.js';
import type { Step } from '../script/step.js';

/** Answers of the model by condition. The first matching rule wins. */
export interface Scenario {
  readonly name?: string | undefined;
  /** Tokens that fit into the context; more are refused in the words of the API. */
  readonly window?: number | undefined;
  /** How much the messages of a conversation count: 50 makes each token 50. */
  readonly scale: number;
  readonly rules: readonly Rule[];
  /** Where no rule fits a turn. */
  readonly default: readonly Step[];
}

export interface Rule {
  readonly when: Condition;
  readonly reply: readonly Step[];
  /** Number of prompts that the rule applies to. */
  readonly times?: number | undefined;
}

/** All that is said must hold. */
export interface Condition {
  readonly purpose: Purpose;
  /** Texts that the prompt contains. */
  readonly prompt: readonly string[];
  /** A pattern that the prompt matches. */
  readonly matches?: string | undefined;
  readonly system: readonly string[];
  /** Texts anywhere in the messages. */
  readonly conversation: readonly string[];
  /** Part of the name. */
  readonly model?: string | undefined;
  readonly api?: ApiName | undefined;
  /** The tool that answered last. */
  readonly toolResult?: { readonly name?: string | undefined; readonly contains: readonly string[] } | undefined;
  /** A tool that is offered. */
  readonly offers?: string | undefined;
  /** Which requests of its purpose, counted from 1. */
  readonly call?: { readonly from: number; readonly to: number; readonly every: number } | undefined;
}

export const DEFAULT_REPLY: readonly Step[] = [{ kind: 'say', text: 'Done.' }];

export const EMPTY_SCENARIO: Scenario = { scale: 1, rules: [], default: DEFAULT_REPLY };

/** Such a rule is about one request, and not about a prompt and all that follows from it. */
export const isAboutOneRequest = ({ toolResult, call }: Condition): boolean =>
  toolResult !== undefined || call !== undefined;
