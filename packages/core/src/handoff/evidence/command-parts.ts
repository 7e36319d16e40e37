/** The commands of a line, each without what is only around it: folders, variables, time limits, containers, pipes that cut. */
export interface CommandPart {
  /** The program and everything that it is given, as words. */
  readonly words: readonly string[];
}

/** The parts of a command line that do something; nothing where it is a script of its own. */
export function commandParts(command: string): readonly CommandPart[] {
  return withoutTexts(command.slice(0, LOOKED_AT))
    .split(/&&|\|\||[;|\n]/)
    .map((part) => ({ words: unwrapped(wordsOf(part)) }))
    .filter(({ words: [program = ''] }) => program !== '' && !AROUND.test(program));
}

const LOOKED_AT = 2_000;
/** They do nothing for what stands beside them but show it or lead to it. */
const AROUND = /^(?:cd|pushd|popd|export|set|source|\.|true|echo|printf|head|tail|tee|sleep|wait)$/;

/**
 * A command without comment lines and line continuations. Commands with an embedded text, where a line may begin with
 * anything, are unchanged.
 */
export function withoutComments(command: string): string {
  if (command.includes('<<')) return command;
  const lines = command
    .replace(/\s*\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  return lines.length === 0 ? command.trim() : lines.join('\n').trim();
}

/** `… | tail -20` and `… | head -50` are the same command, looked at twice. */
export const coreOf = (command: string): string =>
  command.replace(/\s*(?:2>&1)?\s*(?:\|\s*(?:tail|head|grep|tee)\b(?:'[^']*'|"[^"]*"|[^|'"])*)*$/, '');

/** A one-time change: it is not run again as a check. */
export const isOneOff = (command: string): boolean =>
  /<<-?\s*['"]?\w/.test(command) || commandParts(command).every(({ words }) => ONE_OFF.test(words.join(' ')));

const ONE_OFF =
  /^(?:rm|mv|cp|mkdir|rmdir|touch|chmod|chown|ln|kill|pkill|sed -i|perl -p?i|git (?:-C \S+ )?(?:add|commit|push|pull|merge|rebase|checkout|switch|restore|reset|stash|rm|mv|tag|cherry-pick|revert|clean|init|clone)|gh pr create)\b/;

/** Without here-documents and what stands in quotation marks over lines: that is no command. */
const withoutTexts = (command: string): string =>
  command
    .replace(/<<-?\s*(['"]?)(\w+)\1[^\n]*\n[\s\S]*?(?:\n\s*\2\b|$)/g, ' << ')
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, (text) => text.replace(/[\s;&|]+/g, '_'));

const wordsOf = (part: string): readonly string[] =>
  part
    .replace(/\d?>&\d|\d?>>?\s*\S+/g, ' ')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '');

/** `timeout 60 npm test` is `npm test`, as are `CI=1 npm test` and `docker compose exec web npm test`. */
function unwrapped(words: readonly string[]): readonly string[] {
  const [first = '', second = ''] = words;
  if (/^\w+=/.test(first)) return unwrapped(words.slice(1));
  if (/^(?:time|sudo|env|nice|nohup|command|npx|bunx|uvx|xvfb-run)$/.test(first))
    return unwrapped(afterOptions(words, 1));
  if (first === 'timeout' || first === 'gtimeout') return unwrapped(afterOptions(words, 1).slice(1));
  if (/^(?:bundle|pnpm|npm|yarn|bun)$/.test(first) && second === 'exec') return unwrapped(afterOptions(words, 2));
  if (/^(?:poetry|uv|pipenv|hatch|pdm)$/.test(first) && second === 'run') return unwrapped(afterOptions(words, 2));
  if (/^(?:docker|podman)$/.test(first) && second === 'exec') return unwrapped(afterOptions(words, 2).slice(1));
  if (/^(?:docker|podman)$/.test(first) && second === 'compose' && /^(?:exec|run)$/.test(words[2] ?? ''))
    return unwrapped(afterOptions(words, 3).slice(1));
  if (first === 'docker-compose' && /^(?:exec|run)$/.test(second)) return unwrapped(afterOptions(words, 2).slice(1));
  if (/^python[\d.]*$/.test(first) && second === '-m') return words.slice(2);
  if (/^(?:npm|pnpm|yarn|bun)$/.test(first) && second === 'run') return [first, ...words.slice(2)];
  return words;
}

function afterOptions(words: readonly string[], from: number): readonly string[] {
  let at = from;
  while (words[at]?.startsWith('-')) at += 1;
  return words.slice(at);
}
