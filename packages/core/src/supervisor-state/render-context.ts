import { estimateTokens } from '../tokens/estimate-tokens.js';
import { LARGEST_WINDOW, type MinimalState } from './minimal-state.js';

const SMALLEST_WINDOW = 3;
const MAX_PROJECT_CHARS = 1_000;

/** How much is shown. Each next one shows less: results first, then fewer tasks, then the reasons of blockers. */
interface Detail {
  readonly resultChars: number;
  readonly window: number;
  readonly reasonChars: number;
  readonly intentChars: number;
}

const FULL: Detail = {
  resultChars: Number.POSITIVE_INFINITY,
  window: LARGEST_WINDOW,
  reasonChars: Number.POSITIVE_INFINITY,
  intentChars: Number.POSITIVE_INFINITY,
};
const LEVELS: readonly Detail[] = [
  FULL,
  ...[1_000, 400, 150, 0].map((resultChars) => ({ ...FULL, resultChars })),
  { ...FULL, resultChars: 0, window: 4 },
  { ...FULL, resultChars: 0, window: SMALLEST_WINDOW },
  ...[300, 100, 0].map((chars) => ({
    resultChars: 0,
    window: SMALLEST_WINDOW,
    reasonChars: chars,
    intentChars: Math.max(chars, 80),
  })),
];

/** The context as JSON, as much as fits; it names what was shortened. */
export function renderContext(state: MinimalState, budgetTokens: number): string {
  let rendered = '';
  for (const detail of LEVELS) {
    rendered = JSON.stringify(contextAt(state, detail), null, 2);
    if (estimateTokens(rendered) <= budgetTokens) break;
  }
  return rendered;
}

function contextAt(state: MinimalState, detail: Detail) {
  const finished = state.completed_tasks ?? [];
  const shown = finished.slice(-detail.window);
  const blocked = state.blocked_tasks ?? [];
  const cut = { results: 0, reasons: 0, intents: 0 };
  const shorten = (text: string, most: number, kind: keyof typeof cut) => {
    if (text.length <= most) return text;
    cut[kind]++;
    return most === 0 ? undefined : `${wellFormedSlice(text, most)}…`;
  };
  const optional = (key: string, value: string | undefined) => (value === undefined ? {} : { [key]: value });

  const recent_history = shown.map((task) => ({
    task_id: task.task_id,
    ...optional('intent', task.intent === undefined ? undefined : shorten(task.intent, detail.intentChars, 'intents')),
    status: task.status ?? 'completed',
    ...optional('completed_at', task.completed_at || undefined),
    ...optional('result', task.result === undefined ? undefined : shorten(task.result, detail.resultChars, 'results')),
  }));
  const active_blockers = blocked.map((task) => ({
    task_id: task.task_id,
    ...optional(
      'intent',
      task.intent === undefined || detail.reasonChars === 0
        ? undefined
        : shorten(task.intent, detail.intentChars, 'intents'),
    ),
    ...optional('reason', shorten(task.reason, detail.reasonChars, 'reasons')),
  }));
  const isLarge = JSON.stringify(state.project ?? {}).length > MAX_PROJECT_CHARS;
  const shortened = [
    ...(isLarge ? ['the project'] : []),
    ...(cut.results > 0 ? [`${cut.results} results`] : []),
    ...(cut.intents > 0 ? [`${cut.intents} intents`] : []),
    ...(cut.reasons > 0 ? [`${cut.reasons} reasons`] : []),
    ...(shown.length < finished.length ? [`${finished.length - shown.length} older tasks left out`] : []),
  ];
  return {
    ...(state.project !== undefined && { project: isLarge ? { name: state.project['name'] } : state.project }),
    recent_history,
    active_blockers,
    ...(shortened.length > 0 && { shortened: shortened.join(', ') }),
  };
}

/** Never half of a surrogate pair. */
const wellFormedSlice = (text: string, most: number) => text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
