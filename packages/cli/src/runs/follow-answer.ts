import { type EventLog, type Question, runStream, TOLD } from '@devs/core';

/**
 * The fate of an answer, from the stored events. `seen`: the agent's own record shows it · `typed`: it does not,
 * though the words were typed · `not-typed` · `waiting`: the words are stored, without an attempt so far · `settled`:
 * the question is over without them
 */
export type AnswerFate =
  | { readonly kind: 'seen' | 'waiting' }
  | { readonly kind: 'typed' | 'not-typed'; readonly why: string }
  | { readonly kind: 'settled'; readonly how: string };

/** Until it is known, or the signal is aborted. */
export async function followAnswer(
  log: Pick<EventLog, 'follow'>,
  { id, run }: Pick<Question, 'id'> & { readonly run: Pick<Question['run'], 'id'> },
  { after, signal }: { readonly after: number; readonly signal: AbortSignal },
): Promise<AnswerFate> {
  for await (const { type, data } of log.follow({ stream: runStream(run.id), after, signal })) {
    if (type === 'run.paused' || type === 'run.finished') break;
    if (data.escalationId !== id) continue;
    if (type === 'escalation.settled')
      return data.how === TOLD ? { kind: 'seen' } : { kind: 'settled', how: String(data.how) };
    if (type === 'escalation.unanswered')
      return { kind: data.isTyped === true ? 'typed' : 'not-typed', why: String(data.why) };
  }
  return { kind: 'waiting' };
}
