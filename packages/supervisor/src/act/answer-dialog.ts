import type { TerminalState } from '@devs/core';
import { pressConfirmed } from '@devs/terminals';
import type { Supervision } from '../supervision.js';

/**
 * Answers a question that the user has answered in advance, once. All other questions, and all questions while the
 * user is there, wait for them: Enter on "No, exit" would end the agent (H20). Returns `true` if it was answered.
 */
export async function answerDialog(
  { seat, answers, record, isAttended, patience }: Supervision,
  isFirst: (key: string) => boolean,
): Promise<boolean> {
  const { agent } = seat;
  if (answers.length === 0 || agent?.seen.state.activity !== 'waiting' || isAttended()) return false;
  const { state } = agent.seen;
  const findAsked = (question: RegExp): string | undefined => {
    const view = agent.view();
    return view === 'exited' ? undefined : view.lines.findLast((line) => question.test(line))?.trim();
  };
  for (const { question, keys } of answers) {
    const asked = findAsked(question);
    if (asked === undefined) continue;
    if (!isFirst(`answered ${state.since}`)) return true; // what comes of it is still to be seen
    await record.append({ type: 'dialog.answered', question: asked, keys });
    await pressConfirmed({
      terminal: agent,
      keys,
      isAsked: () => isSameWait(state, agent.seen.state) && findAsked(question) === asked && !isAttended(),
      signal: patience.signal,
    });
    return true;
  }
  return false;
}

const isSameWait = (before: TerminalState, { activity, since }: TerminalState): boolean =>
  activity === 'waiting' && since === before.since;
