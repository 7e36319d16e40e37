import type { Input, Output } from '@devs/api';
import { useEffect, useState } from 'react';
import type { PageOperation } from '../live/page-client.js';
import { usePage } from './page-context.js';
import { wordsOf } from './toasts.js';

export type Asked<Value> =
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'problem'; readonly words: string };

/**
 * The answer to a question that is asked once for each input, and again for each `round`. `undefined`: it is not asked
 * yet.
 */
export function useAsked<Name extends PageOperation>(
  name: Name,
  input: Input<Name> | undefined,
  round = 0,
): Asked<Output<Name>> {
  const { store } = usePage();
  const [asked, setAsked] = useState<Asked<Output<Name>>>({ kind: 'asking' });
  const key = JSON.stringify(input);
  useEffect(() => {
    if (key === undefined) return undefined;
    let isOver = false;
    const settle = (next: Asked<Output<Name>>) => {
      if (!isOver) setAsked(next);
    };
    if (round === 0) setAsked({ kind: 'asking' }); // what is known stays until it is known better
    store.client.call(name, JSON.parse(key)).then(
      (value) => settle({ kind: 'known', value }),
      (error: unknown) => settle({ kind: 'problem', words: wordsOf(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [store, name, key, round]);
  return asked;
}
