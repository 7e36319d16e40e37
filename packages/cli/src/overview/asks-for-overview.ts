/** Whether only options of the overview are given: then `devs` shows the overview. Pure. */
export function asksForOverview(argv: readonly string[]): boolean {
  const [first, ...rest] = argv;
  if (first === undefined) return true;
  if (first === '--json' || first.startsWith('--store=')) return asksForOverview(rest);
  return first === '--store' && rest.length > 0 && asksForOverview(rest.slice(1));
}
