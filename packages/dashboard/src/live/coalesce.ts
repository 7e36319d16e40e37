/** Does a task once for all who ask for it within a while. */
export interface Coalescer {
  soon(): void;
  now(): void;
}

export function createCoalescer(
  { ms, after }: { readonly ms: number; after(ms: number, task: () => void): () => void },
  task: () => void,
): Coalescer {
  let cancel: (() => void) | undefined;
  const now = () => {
    cancel?.();
    cancel = undefined;
    task();
  };
  return {
    now,
    soon() {
      cancel ??= after(ms, now);
    },
  };
}
