import type { StoredEvent } from '@devs/core/folds';

/** From the end of the step before to its own end: what it used, and which commits lie in between. */
export interface StepSpan {
  /** As the workflow calls it: `plan`, `implement.fix-login.code`; the last one may still be under way. */
  readonly name: string;
  readonly isDone: boolean;
  readonly from: number;
  readonly to?: number;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
  /** The commits before and after it; missing where none is known. */
  readonly base?: string;
  readonly tip?: string;
}

/**
 * The steps of a run in their order. A supervisor counts, and looks for commits, right after a step has ended: what it finds
 * belongs to that step. Pure.
 */
export function stepSpans(events: readonly StoredEvent[]): readonly StepSpan[] {
  const spans: StepSpan[] = [];
  let open = noStep(events[0]?.at ?? 0, undefined);
  let awaitsCount = false;
  const changeLast = (change: (span: StepSpan) => StepSpan) => {
    const last = spans.pop();
    if (last === undefined) open = change(open);
    else spans.push(change(last));
  };
  for (const event of events) {
    const { type, at, data } = event;
    const commit = commitIn(event);
    if (type === 'worktree.made' && typeof data.base === 'string') open = { ...open, base: data.base, tip: data.base };
    if (commit !== undefined) {
      changeLast((span) => ({ ...span, tip: commit }));
      if (spans.length > 0) open = { ...open, base: commit, tip: commit };
    }
    if (type === 'usage.counted') {
      if (awaitsCount) changeLast((span) => added(span, data));
      else open = added(open, data);
      awaitsCount = false;
    }
    if (type === 'step.completed' || type === 'step.failed') {
      spans.push({ ...open, name: String(data.at ?? ''), isDone: type === 'step.completed', to: at });
      open = noStep(at, open.tip);
      awaitsCount = true;
    }
  }
  return open.turns > 0 ? [...spans, open] : spans;
}

const noStep = (from: number, base: string | undefined): StepSpan => ({
  name: '',
  isDone: false,
  from,
  turns: 0,
  inputTokens: 0,
  outputTokens: 0,
  ...(base === undefined ? {} : { base, tip: base }),
});

function commitIn({ type, data }: StoredEvent): string | undefined {
  if (type === 'head.observed' && typeof data.commit === 'string') return data.commit;
  if (type !== 'commits.observed' || !Array.isArray(data.commits)) return undefined;
  const [newest] = data.commits as readonly { readonly hash?: string }[];
  return newest?.hash;
}

function added(span: StepSpan, data: StoredEvent['data']): StepSpan {
  const number = (key: string) => Number(data[key] ?? 0);
  const cost = data.costUsd === undefined ? span.costUsd : (span.costUsd ?? 0) + number('costUsd');
  return {
    ...span,
    turns: span.turns + number('turns'),
    inputTokens: span.inputTokens + number('inputTokens'),
    outputTokens: span.outputTokens + number('outputTokens'),
    ...(cost === undefined ? {} : { costUsd: cost }),
  };
}
