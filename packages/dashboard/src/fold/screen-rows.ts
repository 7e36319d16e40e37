/** What the server says of a screen: rows that changed, and how many there are. */
export interface ScreenNews {
  readonly height: number;
  readonly rows: Readonly<Record<string, string>>;
}

/** The rows of a screen after one more message. Pure. */
export function screenRows(before: readonly string[], { height, rows }: ScreenNews): readonly string[] {
  return Array.from({ length: height }, (_, row) => rows[String(row)] ?? before[row] ?? '');
}
