import { describeNotice as sayNotice, type TerminalNotice } from '@devs/supervisor/notice';
import { clip } from '../../screen/clip.js';
import { visible } from '../../screen/visible.js';
import type { Calendar } from '../../time/describe-time.js';
import { absoluteTime } from '../../time/describe-time.js';
import { describeExit } from '../describe-exit.js';
import { describeLeftBehind } from '../describe-renewal.js';

/**
 * Audience of a notice. `user`: even if they are away · `terminal`: only if they are watching · `nobody`: only the
 * log.
 */
type NoticeAudience = 'user' | 'terminal' | 'nobody';

export interface DescribedNotice {
  readonly audience: NoticeAudience;
  /** One line that a terminal only shows. */
  readonly text: string;
}

const TEXT_COLUMNS = 60;

const describeEnd = (exitCode: number, signal = 0): string =>
  `${signal === 0 ? 'has ' : ''}${describeExit({ exitCode, signal })}`;

const AUDIENCES: Readonly<Record<TerminalNotice['kind'], NoticeAudience>> = {
  waiting: 'user',
  escalated: 'user',
  parked: 'user',
  done: 'user',
  pressure: 'terminal',
  interrupted: 'terminal',
  'renewal-started': 'terminal',
  'renewal-completed': 'terminal',
  'renewal-failed': 'user',
  'renewal-abandoned': 'terminal',
  resumed: 'terminal',
  'left-to-agent': 'user',
  trouble: 'user',
  'context-action-abandoned': 'user',
  'prompt-unconfirmed': 'user',
  lost: 'nobody',
};

/** What a notice says to the user of a terminal. Pure. */
export function describeNotice(notice: TerminalNotice, prefixLabel: string, calendar: Calendar): DescribedNotice {
  const text = wordsOf(notice, absoluteTimeOf(calendar)) + adviceOf(notice, prefixLabel);
  return { audience: AUDIENCES[notice.kind], text: visible(text) };
}

const absoluteTimeOf = (calendar: Calendar) => (at: number) => absoluteTime(at, calendar);

/** As the supervisor says it, but for an exit: the user is in front of what ended. */
const wordsOf = (notice: TerminalNotice, timeOf: (at: number) => string): string =>
  notice.kind === 'done' && notice.exitCode !== undefined
    ? describeEnd(notice.exitCode, notice.signal)
    : sayNotice(notice, timeOf);

/** What the user can do about it. */
function adviceOf(notice: TerminalNotice, prefixLabel: string): string {
  switch (notice.kind) {
    case 'pressure':
      if (notice.mark !== 'firm') return '';
      return prefixLabel === '' ? '; renew it with `devs renew`' : `; ${prefixLabel} r renews it`;
    case 'renewal-started':
      return '; what you type now is not sent';
    case 'renewal-completed':
      return ['; back with `devs renew --undo`', ...describeLeftBehind(notice)].join(' · ');
    case 'prompt-unconfirmed':
      return `: ${clip(notice.text, TEXT_COLUMNS)}`;
    default:
      return '';
  }
}
