import { useState } from 'react';
import { usePage } from './page-context.js';
import { wordsOf } from './toasts.js';

/** Something that the user asks for: one at a time, and what came of it in words. */
export interface Action {
  readonly isBusy: boolean;
  /** `work` gives what to say where it went well. Gives whether it did. */
  run(work: () => Promise<string | undefined>): Promise<boolean>;
}

export function useAction(): Action {
  const { toasts } = usePage();
  const [isBusy, setBusy] = useState(false);
  return {
    isBusy,
    async run(work) {
      if (isBusy) return false;
      setBusy(true);
      try {
        const said = await work();
        if (said !== undefined) toasts.say('good', said);
        return true;
      } catch (error) {
        toasts.say('bad', wordsOf(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
