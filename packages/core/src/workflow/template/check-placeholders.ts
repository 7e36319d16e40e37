import { didYouMean } from '../../yaml/did-you-mean.js';
import { excerpt } from '../../yaml/excerpt.js';
import type { TextProblem } from '../../yaml/problem-list.js';
import { PLACEHOLDERS } from '../fill-placeholders.js';
import { type FoundStep, findSteps } from './check-references.js';
import type { ReadTemplate } from './read-template.js';

/** Words in one or two pairs of braces. */
const IN_BRACES = /(?<![$\\{\w])(?:\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}|\{\{\s*([A-Za-z_][\w.-]*)\s*\}\})(?!\})/g;
const CONCEPTS = 'task tasks step substep loop iteration round output outputs summary request title description';
const THINGS = new Set(CONCEPTS.split(' '));

/** One pair of braces: with a dot, or a workflow concept. Two pairs belong to other template languages, except for a concept. */
function isMeantAsPlaceholder(single: string | undefined, double = ''): boolean {
  const [first = ''] = (single ?? double).toLowerCase().split('.');
  return single?.includes('.') === true || THINGS.has(first);
}

/**
 * Reports placeholders that are never filled in: the agent would read them literally. Such a template can still run,
 * so only `devs workflow check` asks.
 */
export function checkPlaceholders(read: ReadTemplate): readonly TextProblem[] {
  const { steps = [], loops = {} } = read.draft;
  for (const step of findSteps('Step', steps, ['steps'])) check(step, [], read);
  for (const [loop, subSteps] of Object.entries(loops))
    for (const step of findSteps('Loop step', subSteps, ['loops', loop])) check(step, PLACEHOLDERS, read);
  return read.problems.inOrder();
}

function check(
  { step, path, name }: FoundStep,
  known: readonly string[],
  { places, problems, text }: ReadTemplate,
): void {
  const { instructions } = step;
  if (instructions === undefined) return;
  let from = places.valueOf([...path, 'instructions']);
  for (const [written, single, double] of instructions.matchAll(IN_BRACES)) {
    const isKnown = known.some((placeholder) => placeholder === written);
    if (isKnown || !isMeantAsPlaceholder(single, double)) continue;
    const at = text.indexOf(written, from); // a text that YAML folds or escapes may hold it in another form
    from = at === -1 ? from : at + written.length;
    problems.add(
      at === -1 ? from : at,
      `${name} holds ${excerpt(written)}, which is not filled in`,
      hintFor(single ?? double ?? '', known),
    );
  }
}

const hintFor = (name: string, known: readonly string[]): string =>
  known.length === 0
    ? 'only the sub-steps of a loop have a task; say it in words, or move the text into a loop'
    : (didYouMean(`{${name}}`, known) ??
      `there are ${known.join(', ')}; outputs of earlier steps are in workflow_context`);
