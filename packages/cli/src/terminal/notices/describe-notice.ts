import type { TerminalNotice } from '@devs/supervisor';
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

/** What a notice says to the user of a terminal. Pure. */
export function describeNotice(notice: TerminalNotice, prefixLabel: string, calendar: Calendar): DescribedNotice {
  const said = (audience: NoticeAudience, text: string) => ({ audience, text: visible(text) });
  const renewKey = prefixLabel === '' ? 'renew it with `devs renew`' : `${prefixLabel} r renews it`;
  switch (notice.kind) {
    case 'waiting':
      return said('user', `waits for you: ${notice.detail}`);
    case 'escalated':
      return said('user', `needs you: ${notice.why}`);
    case 'parked':
      return said('user', `waits for the provider until ${absoluteTime(notice.until, calendar)}: ${notice.why}`);
    case 'done':
      return said('user', notice.exitCode === undefined ? 'has ended' : describeEnd(notice.exitCode, notice.signal));
    case 'pressure': {
      const share = `${Math.round(notice.pressure * 100)} % of its context is full`;
      return said('terminal', notice.mark === 'firm' ? `${share}: ${renewKey}` : share);
    }
    case 'renewal-started':
      return said('terminal', 'is being renewed; what you type now is not sent');
    case 'renewal-completed':
      return said(
        'terminal',
        [`was renewed (${notice.refreshCount}); back with \`devs renew --undo\``, ...describeLeftBehind(notice)].join(
          ' · ',
        ),
      );
    case 'renewal-failed':
      return said('user', `could not be renewed: ${notice.error}`);
    case 'renewal-abandoned':
      return said('terminal', `was not renewed: ${notice.reason}`);
    case 'resumed':
      return said('terminal', 'continues its conversation');
    case 'left-to-agent':
      return said('user', `is not renewed (${notice.why}): its own compaction takes over`);
    case 'trouble':
      return said('user', `gives devs trouble: ${notice.detail}`);
    case 'context-action-abandoned':
      return said('user', `was to make room in its context, and did not: ${notice.reason}`);
    case 'prompt-unconfirmed':
      return said('user', `may not have received its prompt (${notice.reason}): ${clip(notice.text, TEXT_COLUMNS)}`);
    case 'lost':
      return said('nobody', notice.kind);
  }
}
