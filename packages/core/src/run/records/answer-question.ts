import { collect, readAll } from '../../event-log/read-log.js';
import type { EventLog } from '../../ports/event-log.js';
import { runStream } from '../../workflow/workflow-run.js';
import { runEventOf } from '../run-event.js';
import { foldRun, type OpenEscalation, type RunFacts } from '../run-facts.js';

export interface Question extends OpenEscalation {
  readonly run: RunFacts;
}

/** What only the user can answer, the oldest first. A question is open until the agent's own record shows the answer. */
export const openQuestions = (runs: readonly RunFacts[]): readonly Question[] =>
  runs.flatMap((run) => (run.escalation === undefined ? [] : [{ ...run.escalation, run }])).sort((a, b) => a.at - b.at);

/** `on-its-way`: other words are being brought to the agent. */
export type AnswerStored =
  | { readonly status: 'stored'; readonly position: number }
  | { readonly status: 'settled' }
  | { readonly status: 'on-its-way' };

/** Stores the user's words. `mayReplace`: no supervisor brings earlier words to the agent now. */
export async function answerQuestion(
  log: Pick<EventLog, 'read' | 'append'>,
  { id, run }: { readonly id: string; readonly run: Pick<RunFacts, 'id'> },
  { answer, mayReplace }: { readonly answer: string; readonly mayReplace: boolean },
): Promise<AnswerStored> {
  const stream = runStream(run.id);
  for (;;) {
    const events = await collect(readAll(log, { stream }));
    const open = foldRun(run.id, events).escalation;
    if (open?.id !== id) return { status: 'settled' };
    if (open.answer !== undefined && !mayReplace) return { status: 'on-its-way' };
    const event = runEventOf({ type: 'escalation.answered', escalationId: id, answer });
    const stored = await log.append(stream, events.length, [event]);
    if (stored.status === 'appended') return { status: 'stored', position: stored.position };
  }
}
