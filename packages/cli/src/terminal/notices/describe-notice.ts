import type { TerminalNotice } from '@devs/supervisor';
import { visible } from '../../screen/visible.js';
import type { Calendar } from '../../time/describe-time.js';
import { absoluteTime } from '../../time/describe-time.js';

/** For whom a notice is. `user`: also where he does not look · `terminal`: only where he looks · `nobody`: it is in the log. */
type NoticeAudience = 'user' | 'terminal' | 'nobody';

export interface DescribedNotice {
  readonly audience: NoticeAudience;
  /** One line that a terminal only shows. */
  readonly text: string;
}

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
      return said('user', notice.exitCode === undefined ? 'has ended' : `has ended with exit code ${notice.exitCode}`);
    case 'pressure': {
      const share = `${Math.round(notice.pressure * 100)} % of its context is full`;
      return said('terminal', notice.mark === 'firm' ? `${share}: ${renewKey}` : share);
    }
    case 'renewal-started':
      return said('terminal', 'is being renewed; what you type now is not sent');
    case 'renewal-completed':
      return said('terminal', `was renewed (${notice.refreshCount}); back with \`devs renew --undo\``);
    case 'renewal-failed':
      return said('user', `could not be renewed: ${notice.error}`);
    case 'renewal-abandoned':
      return said('terminal', `was not renewed: ${notice.reason}`);
    case 'resumed':
      return said('terminal', 'goes on in its conversation');
    case 'left-to-agent':
    case 'context-action-abandoned':
    case 'prompt-unconfirmed':
    case 'lost':
    case 'trouble':
      return said('nobody', notice.kind);
  }
}
