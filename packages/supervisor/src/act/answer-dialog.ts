import type { Supervision } from '../supervision.js';

/**
 * Answers a question that the user has answered in advance, once. All other questions, and all questions while the
 * user is there, wait for them: Enter on "No, exit" would end the agent (H20). Returns `true` if it was answered.
 */
export async function answerDialog(
  { seat, answers, record, isAttended }: Supervision,
  isFirst: (key: string) => boolean,
): Promise<boolean> {
  const { agent } = seat;
  if (answers.length === 0 || agent?.seen.state.activity !== 'waiting' || isAttended()) return false;
  const view = agent.view();
  if (view === 'exited') return false;
  for (const { question, keys } of answers) {
    const asked = view.lines.findLast((line) => question.test(line))?.trim();
    if (asked === undefined) continue;
    if (!isFirst(`answered ${agent.seen.state.since}`)) return true; // what comes of it is still to be seen
    await record.append({ type: 'dialog.answered', question: asked, keys });
    await agent.write(keys);
    return true;
  }
  return false;
}
