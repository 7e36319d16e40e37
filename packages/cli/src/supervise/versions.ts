/** Whether a version is newer than another, by its numbers; what is no version is not. Pure. */
export function isNewer(version: string, than: string): boolean {
  const [own, other] = [numbersOf(version), numbersOf(than)];
  if (own === undefined || other === undefined) return false;
  const at = own.findIndex((part, index) => part !== other[index]);
  return at !== -1 && (own[at] ?? 0) > (other[at] ?? 0);
}

function numbersOf(version: string): readonly number[] | undefined {
  const [, ...parts] = /^(\d+)\.(\d+)\.(\d+)/.exec(version) ?? [];
  return parts.length === 3 ? parts.map(Number) : undefined;
}
