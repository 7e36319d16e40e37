import { useEffect, useState } from 'react';
import { screenRows } from '../../fold/screen-rows.js';
import { usePage } from '../../parts/page-context.js';

/** The screens of terminals as text, as the server's own terminals show them. */
export function useScreens(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { store } = usePage();
  const [screens, setScreens] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const key = [...names].sort().join(' ');
  useEffect(() => {
    if (key === '') return undefined;
    const subscription = store.live.subscribe(
      { to: 'screens', terminals: key.split(' ') },
      {
        onMessage(message) {
          if (message.type !== 'screen') return;
          setScreens((before) =>
            new Map(before).set(message.terminal, screenRows(before.get(message.terminal) ?? [], message)),
          );
        },
      },
    );
    return subscription.close;
  }, [store, key]);
  return screens;
}
