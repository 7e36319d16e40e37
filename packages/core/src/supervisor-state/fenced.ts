/** The text in a Markdown fence that is longer than any run of back-ticks in it, so that nothing in it can close it. */
export function fenced(text: string, language = ''): string {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}
