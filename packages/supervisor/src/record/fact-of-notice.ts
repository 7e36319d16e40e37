import { redactText } from '@devs/core';
import type { TerminalNotice } from '../notice.js';
import type { TerminalEvent } from './terminal-event.js';

/** What the user is told and no other event says, so that it can be read later. Pure. */
export function factOfNotice(notice: TerminalNotice): TerminalEvent | undefined {
  if (notice.kind === 'left-to-agent') return { type: 'agent.left-alone', why: notice.why };
  if (notice.kind === 'interrupted') return { type: 'turn.cut-short', why: notice.why };
  return notice.kind === 'trouble' ? { type: 'trouble.met', detail: redactText(notice.detail) } : undefined;
}
