/** The first line that says something: a heading alone does not. Pure. */
export function tellingLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.find((line) => !/^#{1,6} /.test(line)) ?? lines[0] ?? '';
}
