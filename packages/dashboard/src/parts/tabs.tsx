import { useEffect, useRef } from 'react';

interface TabsProps<Name extends string> {
  /** What each is called, by its name. */
  readonly tabs: Readonly<Record<Name, string>>;
  readonly chosen: NoInfer<Name>;
  onChoose(name: NoInfer<Name>): void;
  readonly label: string;
}

/** Tabs by the pattern of the ARIA guide: arrows go from one to the next. */
export function Tabs<Name extends string>({ tabs, chosen, onChoose, label }: TabsProps<Name>) {
  const names = Object.keys(tabs) as Name[];
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>(`[data-tab="${chosen}"]`);
    if (list.current !== null && tab !== null && tab !== undefined)
      list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [chosen]);
  const onKey = (event: React.KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const next = names[(names.indexOf(chosen) + step + names.length) % names.length];
    if (next === undefined) return;
    onChoose(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={onKey}>
      {names.map((name) => (
        <button
          type="button"
          role="tab"
          key={name}
          data-tab={name}
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {tabs[name]}
        </button>
      ))}
    </div>
  );
}
