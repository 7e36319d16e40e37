import { clipParts } from '../reply/clip-parts.js';
import type { AnswerPart, Ending, ModelError, Reply } from '../reply/reply.js';
import type { Usage } from '../reply/usage.js';
import { findPrompt, type Prompt } from '../request/find-prompt.js';
import type { ModelRequest } from '../request/model-request.js';
import { type Purpose, purposeOf } from '../request/purpose-of.js';
import type { Scenario } from '../scenario/scenario.js';
import { parseDirectives } from '../script/parse-directives.js';
import type { Fault } from '../script/step.js';
import type { Turn } from '../script/turns.js';
import { type ChosenTurn, chooseTurn, type ScriptSource } from './choose-turn.js';
import { decideUsage } from './decide-usage.js';
import { resolveCall } from './resolve-call.js';

/** Facts from earlier requests. */
export interface Past {
  readonly callsFor: (purpose: Purpose) => number;
  /** Prompts that a rule has begun to answer. */
  readonly usesOf: (rule: number) => number;
  /** How often this turn of this conversation has been asked for. */
  readonly triesOf: (turn: string) => number;
}

export interface Decision {
  readonly reply: Reply;
  readonly purpose: Purpose;
  readonly prompt: Prompt;
  readonly source: ScriptSource | 'mistake' | 'window';
  readonly rule?: ChosenTurn['rule'];
  /** The turn whose tries are counted, where its script depends on that. */
  readonly tried?: string;
}

/** The model's answer. Pure: the same request with the same past gives the same reply. */
export function decideReply(request: ModelRequest, scenario: Scenario, past: Past): Decision {
  const prompt = findPrompt(request);
  const { purpose, scriptable } = purposeOf(request, prompt);
  const about = { purpose, prompt };
  const parsed = parseDirectives(scriptable);
  if (parsed.kind === 'mistake') {
    const message = `@model in line ${parsed.line} of the prompt: ${parsed.message}`;
    return { ...about, source: 'mistake', reply: refuse({ status: 400, message, headers: NO_RETRY }) };
  }
  const situation = { request, prompt, purpose, call: past.callsFor(purpose) + 1, usesOf: past.usesOf };
  const { turn, source, rule } = chooseTurn(parsed.steps, scenario, situation);
  const tried = turn.faults.some(({ times }) => times !== undefined) ? turnKey(request, prompt) : undefined;
  const chosen = { ...about, source, ...(rule !== undefined && { rule }), ...(tried !== undefined && { tried }) };

  const parts = partsOf(turn, request);
  const usage = decideUsage({ request, prompt, scripted: turn.usage, scale: scenario.scale, parts });
  const fault = currentFault(turn.faults, tried === undefined ? 0 : past.triesOf(tried));
  if (fault !== undefined) return { ...chosen, reply: replyWithFault({ fault, turn, parts, usage, scenario }) };
  if (scenario.window !== undefined && usage.input > scenario.window) {
    const error = overflow(usage.input, scenario.window);
    return { ...chosen, source: 'window', reply: refuse(error, turn.delayMs) };
  }
  const { cutAfter } = turn;
  if (cutAfter === undefined) return { ...chosen, reply: answer({ turn, parts, usage, ending: { kind: 'complete' } }) };
  const clipped = clipParts(parts, cutAfter);
  const cost = decideUsage({ request, prompt, scripted: turn.usage, scale: scenario.scale, parts: clipped });
  return { ...chosen, reply: answer({ turn, parts: clipped, usage: cost, ending: { kind: 'cut' } }) };
}

/** A turn that says nothing and calls nothing says that it is done. */
function partsOf({ thinking, text, calls }: Turn, request: ModelRequest): readonly AnswerPart[] {
  const said = text === '' && calls.length === 0 ? 'Done.' : text;
  return [
    ...(thinking === '' ? [] : [{ kind: 'thinking', text: thinking } as const]),
    ...(said === '' ? [] : [{ kind: 'text', text: said } as const]),
    ...calls.map((call) => resolveCall(call, request)),
  ];
}

/** Faults with a number of times apply one after another. */
function currentFault(faults: readonly Fault[], triesBefore: number): Fault | undefined {
  let before = triesBefore;
  for (const fault of faults) {
    if (fault.times === undefined || before < fault.times) return fault;
    before -= fault.times;
  }
  return undefined;
}

/** A try that is repeated after the conversation was compacted is the same try. */
const turnKey = ({ conversationId = '' }: ModelRequest, { text, results }: Prompt) =>
  `${conversationId}\n${results}\n${text}`;

/** Claude Code tries also a 400 six times, with other headers each. */
const NO_RETRY = { 'x-should-retry': 'false' };

interface Faulty {
  readonly fault: Fault;
  readonly turn: Turn;
  readonly parts: readonly AnswerPart[];
  readonly usage: Usage;
  readonly scenario: Scenario;
}

/** Where none is set. */
const USUAL_WINDOW = 200_000;

function replyWithFault({ fault, turn, parts, usage, scenario }: Faulty): Reply {
  const broken = (after: number, ending: Ending) => answer({ turn, parts: clipParts(parts, after), usage, ending });
  switch (fault.kind) {
    case 'overflow': {
      const window = scenario.window ?? USUAL_WINDOW;
      return refuse(overflow(Math.max(usage.input, window + 1), window), turn.delayMs);
    }
    case 'error':
      if (fault.after === undefined) return refuse(fault.error, turn.delayMs);
      return broken(fault.after, { kind: 'failure', error: fault.error });
    default:
      return broken(fault.after, { kind: fault.kind });
  }
}

const overflow = (tokens: number, window: number): ModelError => ({
  status: 400,
  headers: {},
  overflow: { tokens, window },
});

const refuse = (error: ModelError, delayMs = 0): Reply => ({ kind: 'refusal', error, delayMs });

const answer = (given: {
  readonly turn: Turn;
  readonly parts: readonly AnswerPart[];
  readonly usage: Usage;
  readonly ending: Ending;
}): Reply => ({
  kind: 'answer',
  parts: given.parts,
  ending: given.ending,
  usage: given.usage,
  delayMs: given.turn.delayMs,
  paceMs: given.turn.paceMs,
});
