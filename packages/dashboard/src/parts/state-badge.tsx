import type { RunListing } from '@devs/api';

type State = RunListing['state'];

const TONES: Readonly<Record<State, string>> = {
  'needs you': 'call',
  interrupted: 'warn',
  paused: 'warn',
  running: 'busy',
  done: 'good',
  failed: 'bad',
  'given-up': 'dim',
};

/** The state of a run: its word, and a colour that says the same. */
export const StateBadge = ({ state, merged }: { readonly state: State; readonly merged?: string | undefined }) => (
  <span className="badge" data-tone={TONES[state]}>
    {merged !== undefined && state === 'done' ? 'merged' : state === 'given-up' ? 'abandoned' : state}
  </span>
);
