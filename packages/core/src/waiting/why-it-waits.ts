/** What is known of an agent in a terminal, as far as it may be why it waits. */
export interface TerminalSigns {
  readonly activity?: 'starting' | 'busy' | 'idle' | 'waiting' | 'exited';
  /** What it asks for, where it waits for an answer. */
  readonly detail?: string;
  /** The user sits in front of it, or did a moment ago. */
  readonly isAttended?: boolean;
  readonly parkedUntil?: number;
  readonly parkedWhy?: string;
  /** Only its user can continue. */
  readonly escalation?: string;
}

/** What is known of a run, as far as it may be why it waits. */
export interface RunSigns {
  readonly question?: { readonly text: string; readonly isAnswered: boolean };
  readonly pausedWhy?: string;
  readonly isSupervised: boolean;
  /** Nothing of its agent was started yet. */
  readonly isPreparing?: boolean;
  readonly terminal?: TerminalSigns;
}

/** How a moment is written for its reader. */
export type DescribeMoment = (at: number) => string;

const LIMITS: Readonly<Record<string, string>> = {
  'usage-limit': 'the usage limit',
  network: 'the network',
};

/** What a parked agent waits for, in words. */
export const limitIn = (why: string): string => LIMITS[why] ?? why;

/** Why a terminal does not work on, as a sentence; `undefined` where it works, or its user says what is next. Pure. */
export function whyTerminalWaits(signs: TerminalSigns, moment: DescribeMoment): string | undefined {
  const { activity, detail = '', parkedUntil, parkedWhy = 'usage-limit', escalation } = signs;
  if (escalation !== undefined) return `needs you: ${escalation}`;
  if (activity === 'waiting') return detail === '' ? 'waits for your answer' : `waits for your answer: ${detail}`;
  if (parkedUntil === undefined) return undefined;
  return `waits until ${moment(parkedUntil)} for ${limitIn(parkedWhy)}`;
}

/** Why a run that is not over does not work on, as a sentence; `undefined` where its agent works. Pure. */
export function whyRunWaits(signs: RunSigns, moment: DescribeMoment): string | undefined {
  const { question, pausedWhy, isSupervised, isPreparing, terminal } = signs;
  if (question !== undefined && !question.isAnswered) return `waits for your answer: ${question.text}`;
  if (!isSupervised && question !== undefined) return 'your answer is stored: the agent gets it when the run continues';
  if (!isSupervised) return pausedWhy === undefined ? 'no supervisor holds it' : `paused: ${pausedWhy}`;
  const ofTerminal = terminal === undefined ? undefined : whyTerminalWaits(terminal, moment);
  if (ofTerminal !== undefined) return ofTerminal;
  if (terminal?.isAttended === true && terminal.activity === 'idle')
    return 'you are attached to it, so devs types nothing. Detach with Ctrl-] d';
  if (question !== undefined) return 'your answer is on its way to the agent';
  return isPreparing === true ? 'is being prepared' : undefined;
}
