import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const KEPT = 'devs.theme';

export const keptTheme = (): Theme => (localStorage.getItem(KEPT) as Theme | null) ?? 'system';

/** Kept for this browser. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, theme);
  document.documentElement.dataset.theme = theme;
}

const isDark = (): boolean => matchMedia('(prefers-color-scheme: dark)').matches;

/** The colours that count now; for what is drawn, and does not follow the styles by itself. */
export const useTheme = (): string =>
  useSyncExternalStore(subscribe, () => `${document.documentElement.dataset.theme ?? ''} ${isDark()}`);

function subscribe(onChange: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = new MutationObserver(onChange);
  system.addEventListener('change', onChange);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => {
    system.removeEventListener('change', onChange);
    chosen.disconnect();
  };
}
