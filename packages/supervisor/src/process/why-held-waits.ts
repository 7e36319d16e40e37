import { type TerminalSigns, timeOfDay, whyRunWaits, whyTerminalWaits } from '@devs/core';
import type { TerminalStatus } from '../supervised-terminal.js';
import type { RunNews } from './port.js';

/** Why a terminal that is held here does not work on. Pure. */
export const whyHeldTerminalWaits = (status: TerminalStatus | undefined, now: number): string | undefined =>
  status === undefined ? undefined : whyTerminalWaits(signsOf(status), (at) => timeOfDay(at, now));

/** The same of a run. Pure. */
export function whyHeldRunWaits({ status }: Pick<RunNews, 'status'>, now: number): string | undefined {
  const { escalation, terminals = [] } = status ?? {};
  const [terminal] = terminals;
  return whyRunWaits(
    {
      isSupervised: true,
      isPreparing: status === undefined,
      ...(escalation === undefined
        ? {}
        : { question: { text: escalation.question, isAnswered: escalation.answer !== undefined } }),
      ...(terminal === undefined ? {} : { terminal: signsOf(terminal) }),
    },
    (at) => timeOfDay(at, now),
  );
}

const signsOf = ({ state, isAttended, parkedUntil, needs }: TerminalStatus): TerminalSigns => ({
  ...(state === undefined ? {} : { activity: state.activity }),
  isAttended,
  ...(parkedUntil === undefined ? {} : { parkedUntil }),
  ...(needs?.kind === 'answer' ? { detail: needs.detail } : {}),
  ...(needs === undefined || needs.kind === 'answer' ? {} : { escalation: needs.detail }),
});
