import type { Situation } from '../scenario/rule-fits.js';
import { ruleFits } from '../scenario/rule-fits.js';
import { isAboutOneRequest, type Scenario } from '../scenario/scenario.js';
import type { Step } from '../script/step.js';
import { type Turn, turnAt } from '../script/turns.js';

export type ScriptSource = 'directives' | 'rule' | 'default';

export interface ChosenTurn {
  readonly turn: Turn;
  readonly source: ScriptSource;
  /** Which rule, and whether this begins to answer a prompt with it. */
  readonly rule?: { readonly index: number; readonly isFirst: boolean };
}

const AT_START = { results: 0, answered: false };

/** The turn that comes next: of the prompt's own directives, else of the first rule that fits, else the default. */
export function chooseTurn(
  directives: readonly Step[],
  scenario: Scenario,
  situation: Situation & { readonly usesOf: (rule: number) => number },
): ChosenTurn {
  const { prompt } = situation;
  const own = directives.length === 0 ? undefined : turnAt(directives, prompt);
  if (own !== undefined) return { turn: own, source: 'directives' };
  for (const [index, { when, reply, times }] of scenario.rules.entries()) {
    if (!ruleFits(when, situation)) continue;
    const progress = isAboutOneRequest(when) ? AT_START : prompt;
    const isFirst = progress.results === 0 && !progress.answered;
    if (times !== undefined && situation.usesOf(index) >= times + (isFirst ? 0 : 1)) continue;
    const turn = turnAt(reply, progress);
    if (turn !== undefined) return { turn, source: 'rule', rule: { index, isFirst } };
  }
  return { turn: defaultTurn(scenario, situation), source: 'default' };
}

/** Agents expect a summary in these tags, and a title in JSON where they sent a schema. */
function defaultTurn({ default: steps }: Scenario, { purpose, request }: Situation): Turn {
  const say = (text: string) => turnAt([{ kind: 'say', text }], AT_START) as Turn;
  switch (purpose) {
    case 'compaction':
      return say(`<summary>\nA scripted summary of ${request.messages.length} messages.\n</summary>`);
    case 'title':
      return say(request.wantsJson ? '{"title":"Scripted title"}' : 'Scripted title');
    case 'turn':
      return turnAt(steps, AT_START) as Turn;
  }
}
