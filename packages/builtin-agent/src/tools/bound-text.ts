/** Keeps the beginning and the end of a text, where the important parts usually are. */
export function boundText(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  return joinEnds(text.slice(0, half), text.slice(-half), text.length - 2 * half);
}

const joinEnds = (head: string, tail: string, leftOut: number) =>
  `${head.replace(/[\ud800-\udbff]$/, '')}\n[… ${leftOut} characters left out …]\n${tail.replace(/^[\udc00-\udfff]/, '')}`;

/** Takes in any amount of output and keeps both ends of it. */
export function createOutputEnds(most: number): { add(chunk: string): void; text(): string } {
  const half = Math.floor(most / 2);
  let head = '';
  let tail = '';
  let leftOut = 0;
  return {
    add(chunk) {
      const room = half - head.length;
      head += chunk.slice(0, Math.max(0, room));
      const rest = room >= chunk.length ? '' : chunk.slice(Math.max(0, room));
      const joined = tail + rest;
      leftOut += Math.max(0, joined.length - half);
      tail = joined.slice(-half);
    },
    text: () => (leftOut === 0 ? head + tail : joinEnds(head, tail, leftOut)),
  };
}
