import type { Fault, ScriptedCall, ScriptedUsage, Step } from './step.js';

/** One answer of the model, as a script has it. */
export interface Turn {
  readonly thinking: string;
  readonly text: string;
  /** None: the agent's turn ends here. */
  readonly calls: readonly ScriptedCall[];
  readonly usage: ScriptedUsage;
  readonly delayMs: number;
  readonly paceMs: number;
  readonly cutAfter: number | undefined;
  /** Of these the first that still applies. */
  readonly faults: readonly Fault[];
}

/** How far an agent has come with a script: see `Prompt`. */
interface Progress {
  readonly results: number;
  readonly answered: boolean;
}

/** The turn of a script that comes next; `undefined` where the script is over. */
export function turnAt(steps: readonly Step[], { results, answered }: Progress): Turn | undefined {
  let left = results;
  for (const turn of turnsOf(steps)) {
    if (turn.calls.length === 0) return answered ? undefined : turn;
    if (left <= 0) return turn;
    left -= turn.calls.length;
  }
  return undefined;
}

/** All turns; the last has no calls, so that every script comes to an end. */
function* turnsOf(steps: readonly Step[]): Generator<Turn> {
  let draft = emptyTurn({});
  for (const step of flatten(steps)) {
    draft = addStep(draft, step);
    if (draft.calls.length === 0) continue;
    yield draft;
    draft = emptyTurn(draft.usage);
  }
  yield draft;
}

const emptyTurn = (usage: ScriptedUsage): Turn => ({
  thinking: '',
  text: '',
  calls: [],
  usage,
  delayMs: 0,
  paceMs: 0,
  cutAfter: undefined,
  faults: [],
});

function addStep(turn: Turn, step: Exclude<Step, { readonly kind: 'repeat' }>): Turn {
  switch (step.kind) {
    case 'say':
      return { ...turn, text: join(turn.text, step.text) };
    case 'think':
      return { ...turn, thinking: join(turn.thinking, step.text) };
    case 'call':
      return { ...turn, calls: step.calls };
    case 'usage':
      return { ...turn, usage: { ...turn.usage, ...step.usage } };
    case 'delay':
      return { ...turn, delayMs: turn.delayMs + step.ms };
    case 'pace':
      return { ...turn, paceMs: step.ms };
    case 'cut':
      return { ...turn, cutAfter: step.after };
    default:
      return { ...turn, faults: [...turn.faults, step] };
  }
}

const join = (before: string, next: string) => (before === '' ? next : `${before}\n${next}`);

function* flatten(steps: readonly Step[]): Generator<Exclude<Step, { readonly kind: 'repeat' }>> {
  for (const step of steps) {
    if (step.kind !== 'repeat') {
      yield step;
      continue;
    }
    for (let round = 1; round <= step.times; round++) {
      for (const inner of flatten(step.steps)) yield numbered(inner, round);
    }
  }
}

/** `{{n}}` in a repeated step is the number of the round; where repetitions are nested, of the innermost. */
function numbered<S extends Step>(step: S, round: number): S {
  const fill = (text: string) => text.replaceAll('{{n}}', String(round));
  switch (step.kind) {
    case 'say':
    case 'think':
      return { ...step, text: fill(step.text) };
    case 'call':
      return {
        ...step,
        calls: step.calls.map((call) =>
          call.kind === 'run' ? { ...call, command: fill(call.command) } : { ...call, input: fill(call.input) },
        ),
      };
    default:
      return step;
  }
}
