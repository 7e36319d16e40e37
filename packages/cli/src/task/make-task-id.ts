const MAX_CHARS = 24;
const FALLBACK = 'task';
/** Letters that do not come apart into a plain one and an accent. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', ø: 'o', œ: 'oe', đ: 'd', ł: 'l' };
const FILLERS = new Set(['a', 'an', 'and', 'as', 'at', 'for', 'in', 'is', 'it', 'of', 'on', 'so', 'that', 'the', 'to']);

/** A readable id from an intent: `fix-login-redirect` for "Fix the login redirect". */
export function slugOf(intent: string): string {
  const words = intent
    .toLowerCase()
    .replace(/[ßæøœđł]/g, (letter) => PLAIN[letter] ?? '')
    .normalize('NFKD')
    .replace(/['’]|\p{M}/gu, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !FILLERS.has(word));
  const [first = FALLBACK, ...rest] = telling.length > 0 ? telling : words;
  let slug = first.slice(0, MAX_CHARS);
  for (const word of rest) {
    if (slug.length + 1 + word.length > MAX_CHARS) break;
    slug += `-${word}`;
  }
  return slug;
}

/** The slug itself, or the first of `slug-2`, `slug-3`… that is free. */
export async function freeId(slug: string, isTaken: (id: string) => boolean | Promise<boolean>): Promise<string> {
  for (let number = 1; ; number++) {
    const id = number === 1 ? slug : `${slug}-${number}`;
    if (!(await isTaken(id))) return id;
  }
}
