import type { AgentConfig, LoopStep, WorkflowStep, WorkflowTemplate } from '@devs/core';
import { resolveLoop } from '@devs/core';
import { clip } from '../screen/clip.js';
import type { Screen } from '../screen/screen.js';
import { visible } from '../screen/visible.js';
import { paragraphs, wrapWords } from '../screen/wrap.js';
import { renderFacts } from './render-facts.js';
import { stepWords } from './step-words.js';

interface Manner {
  readonly screen: Screen;
  /** The instructions as they are, and not their beginnings. */
  readonly full: boolean;
}

/** A workflow as it is written: what it is for, its agents, its steps. */
export function renderWorkflow(template: WorkflowTemplate, from: string, manner: Manner): string[] {
  const { palette, columns } = manner.screen;
  const agents = Object.entries(template.agents ?? {});
  return [
    palette.title(clip(template.name, columns)),
    ...paragraphs(template.description, columns),
    palette.quiet(visible(from)),
    ...(agents.length === 0 ? [] : ['', palette.title('Agents')]),
    ...agents.flatMap(([name, agent]) => renderAgent(name, agent, manner.screen)),
    '',
    palette.title('Steps'),
    ...template.steps.flatMap((step, index) => [
      ...(index > 0 ? [''] : []),
      ...renderStep(step, index + 1, { template, manner }),
    ]),
    ...(manner.full ? [] : ['', palette.quiet('Instructions are shortened: --full shows all of them.')]),
  ];
}

const AGENT_INDENT = ' '.repeat(4);

function renderAgent(name: string, { description, tools, cannot }: AgentConfig, screen: Screen): string[] {
  const { palette, columns } = screen;
  const room = columns - AGENT_INDENT.length;
  const rules = [
    ...(tools === undefined ? [] : [`tools: ${tools.join(', ') || 'none'}`]),
    ...(cannot === undefined ? [] : [`cannot: ${cannot.join(', ')}`]),
  ];
  return [
    `  ${palette.title(visible(name))}`,
    ...paragraphs(description, room).map((line) => `${AGENT_INDENT}${line}`),
    ...rules.flatMap((rule) => wrapWords(visible(rule), room)).map((line) => `${AGENT_INDENT}${palette.quiet(line)}`),
  ];
}

function renderStep(
  step: WorkflowStep,
  number: number,
  { template, manner }: { readonly template: WorkflowTemplate; readonly manner: Manner },
): string[] {
  const { screen } = manner;
  const margin = `  ${number}. `;
  const indent = ' '.repeat(margin.length);
  const loop = loopOf(template, step);
  const kind = loop === undefined ? step.type : loopWords(step, loop.name);
  return [
    ...renderFacts(visible(step.id), [kind, ...stepWords(step, { inLoop: true })], {
      screen,
      margins: [margin, indent],
    }),
    ...renderInstructions(step.instructions, indent, manner),
    ...(loop?.subSteps.flatMap((subStep, index) => renderSubStep(subStep, index, { indent, manner })) ?? []),
  ];
}

const loopWords = ({ id }: WorkflowStep, loop: string) =>
  loop === id ? 'loop, for each task' : `loop ${loop}, for each task`;

function renderSubStep(
  subStep: LoopStep,
  index: number,
  { indent, manner }: { readonly indent: string; readonly manner: Manner },
): string[] {
  const margin = `${indent}${letterOf(index)}. `;
  const inner = ' '.repeat(margin.length);
  const facts = stepWords(subStep, { inLoop: true });
  return [
    ...renderFacts(visible(subStep.id), facts, { screen: manner.screen, margins: [margin, inner] }),
    ...renderInstructions(subStep.instructions, inner, manner),
  ];
}

/** a, b, … z, then 27, 28, … */
const letterOf = (index: number) => (index < 26 ? String.fromCharCode(97 + index) : String(index + 1));

/** Enough of a text to fill a line, with any white space. */
const MAX_CHARS = 1_000;

function renderInstructions(text: string | undefined, indent: string, { screen, full }: Manner): string[] {
  if (text === undefined) return [];
  const room = screen.columns - indent.length;
  const lines = full ? paragraphs(text, room) : [clip(text.slice(0, MAX_CHARS).replace(/\s+/g, ' ').trim(), room)];
  return lines.map((line) => `${indent}${line}`.trimEnd());
}

interface Loop {
  readonly name: string;
  readonly subSteps: readonly LoopStep[];
}

/** What a step repeats; `undefined` for a step that is no loop. */
function loopOf(template: WorkflowTemplate, step: WorkflowStep): Loop | undefined {
  if (step.type !== 'loop') return undefined;
  const subSteps = resolveLoop(template, step) ?? [];
  const name = Object.entries(template.loops ?? {}).find(([, steps]) => steps === subSteps)?.[0];
  return { name: step.loop ?? name ?? step.id, subSteps };
}
