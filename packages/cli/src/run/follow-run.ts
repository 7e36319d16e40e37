import type { RunEnd } from '@devs/supervisor';
import type { RunView } from './run-view.js';
import type { FollowedRun } from './runs.js';

/**
 * Until a run is over. The first Ctrl-C ends its agent politely and pauses it, the second at once; what is stored stays stored
 * either way.
 */
export async function followRun(
  run: Pick<FollowedRun, 'id' | 'stop' | 'done'>,
  view: Pick<RunView, 'say'>,
  { signal, again }: { readonly signal: AbortSignal; readonly again: AbortSignal },
): Promise<RunEnd> {
  const stop = () => {
    view.say(`devs: stopping run ${run.id}; the agent may finish its sentence. Ctrl-C again stops it at once.`);
    void run.stop({ now: false }).catch(() => {});
  };
  const stopNow = () => void run.stop({ now: true }).catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  again.addEventListener('abort', stopNow, { once: true });
  if (signal.aborted) stop();
  if (again.aborted) stopNow();
  try {
    return await run.done;
  } finally {
    signal.removeEventListener('abort', stop);
    again.removeEventListener('abort', stopNow);
  }
}
