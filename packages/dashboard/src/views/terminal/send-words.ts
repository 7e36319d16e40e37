import type { Output } from '@devs/api';
import type { PageClient } from '../../live/page-client.js';

interface Words {
  readonly terminal: string;
  /** A run says by itself what is next: who speaks to its agent interrupts it. */
  readonly run: string | undefined;
  readonly text: string;
}

/** What became of a prompt, as the agent's own records say. */
interface Delivery {
  readonly isDelivered: boolean;
  readonly tone: 'good' | 'warn' | 'bad';
  readonly words: string;
}

export async function sendWords(client: PageClient, { terminal, run, text }: Words): Promise<Delivery> {
  if (run === undefined) return described(await client.call('terminals.send', { terminal, text }));
  const outcome = await client.call('terminals.interrupt', { terminal, text });
  if (outcome.kind === 'not-seen') return notTyped(`it was not seen to be interrupted: ${outcome.why}`);
  return outcome.told === undefined ? notTyped('nothing was typed') : described(outcome.told);
}

const REASONS: Readonly<Record<string, string>> = {
  exited: 'the agent has ended',
  dialog: 'a dialog is open',
  draft: 'there is a draft at its prompt',
  busy: 'the agent is busy',
  'prompt-not-drawn': 'its prompt is not there',
  'needs-bracketed-paste': 'it cannot take several lines',
  interrupted: 'it was interrupted',
  'not-drawn': 'the text did not appear',
  'not-confirmed': "the agent's own record does not show it",
};

function described(outcome: Output<'terminals.send'>): Delivery {
  if (outcome.kind === 'delivered')
    return { isDelivered: true, tone: 'good', words: 'Arrived: the agent has taken it up.' };
  const why = REASONS[outcome.reason] ?? outcome.reason;
  if (outcome.kind === 'unconfirmed')
    return { isDelivered: false, tone: 'warn', words: `Typed, and not confirmed: ${why}.` };
  return notTyped(why);
}

const notTyped = (why: string): Delivery => ({ isDelivered: false, tone: 'bad', words: `Not typed: ${why}.` });
