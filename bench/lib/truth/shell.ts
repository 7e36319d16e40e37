/** What a command is, told by plain rules that are the measure's own. */

/** The commands of a script, one by one, without comments, here-documents and quoted texts. */
function commandsOf(script: string): readonly (readonly string[])[] {
  return script
    .replace(/<<-?\s*(['"]?)(\w+)\1[\s\S]*?\n\s*\2\b/g, ' <<')
    .replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, (text) => text.replace(/[\s;&|#]+/g, '_'))
    .replace(/\\\n/g, ' ')
    .replace(/(^|\s)#[^\n]*/g, '$1')
    .split(/&&|\|\||[;|\n]/)
    .map((part) =>
      part
        .replace(/\d?>&\d|&?\d?>>?\s*\S+/g, ' ')
        .trim()
        .split(/\s+/)
        .filter((word) => word !== ''),
    )
    .map(withoutLead)
    .filter((words) => words.length > 0 && !/^(?:cd|echo|printf|export|set|true|sleep|:)$/.test(words[0] ?? ''));
}

const withoutLead = (words: readonly string[]): readonly string[] => {
  const [first = ''] = words;
  if (/^\w+=/.test(first) || /^(?:sudo|time|env|npx|command)$/.test(first)) return withoutLead(words.slice(1));
  if (first === 'timeout') return withoutLead(words.slice(2));
  return words;
};

/** The lines that are left of a script without its comments and continuations. */
export const linesOf = (script: string): readonly string[] =>
  script
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

export const onlyLooks = (script: string): boolean =>
  !/(?<![\d&=-])>{1,2}\s*(?!&|\/dev\/)[\w./~$"']/.test(script) &&
  commandsOf(script).every((words) => LOOKS.test(words.join(' ')));

const LOOKS =
  /^(?:ls|cat|head|tail|less|rg|grep|ag|find|fd|wc|tree|stat|file|which|pwd|jq|sort|uniq|cut|nl|du|df|ps|awk|diff|sed -n|git (?:-C \S+ )?(?:log|show|diff|status|blame|grep|branch|rev-parse|ls-files|ls-tree|remote -v))(?:\s|$)/;

/** Whether anything outside this machine's files is changed by it. */
export const changesOutside = (script: string): boolean =>
  commandsOf(script).some((words) => OUTSIDE.test(words.join(' ')));

const OUTSIDE =
  /^(?:gh api\b(?=.*\s(?:-f|-F|--field|--raw-field|--input|-X ?(?:POST|PUT|PATCH|DELETE)|--method[ =](?:POST|PUT|PATCH|DELETE))\b)(?!.*\bgraphql\b.*query[=_ ]*(?!.*mutation))|gh (?:pr|issue|release|repo|gist|workflow|run) (?:create|comment|edit|merge|close|reopen|review|delete|ready|run|rerun|upload)|curl\b.*\s(?:-X ?(?:POST|PUT|PATCH|DELETE)|-d|--data\S*)\b|(?:npm|pnpm|yarn|cargo|poetry|twine|gem) (?:publish|push|upload)|docker push|git (?:-C \S+ )?push|kubectl (?:apply|delete|create|scale|patch)|terraform (?:apply|destroy)|vercel\b|fly deploy|helm (?:install|upgrade))/;

const core = (script: string): string =>
  script
    .replace(/^\s*cd\s+\S+\s*(?:&&|;)\s*/, '')
    .replace(/\s*(?:2>&1)?\s*(?:\|\s*(?:tail|head|grep|tee)\b(?:'[^']*'|"[^"]*"|[^|'"])*)*$/, '')
    .trim();

/** The same command, however much of its output is shown. */
export const isSame = (one: string, other: string): boolean => core(one) === core(other);

/** Whether a later script that went well did all that an earlier one was to do, as far as plain words tell it. */
export function didTheSame(earlier: string, later: readonly string[]): boolean {
  if (later.some((script) => core(script) === core(earlier))) return true;
  const wanted = commandsOf(earlier).filter((words) => !LOOKS.test(words.join(' ')));
  if (wanted.length === 0 || earlier.includes('<<')) return false;
  const done = later.flatMap(commandsOf);
  return wanted.every((words) => done.some((other) => covers(other, words)));
}

/** The same program with the same words, or with fewer: `go test ./...` covers `go test ./cart`. */
function covers(later: readonly string[], earlier: readonly string[]): boolean {
  const plain = (words: readonly string[]) => words.filter((word) => !word.startsWith('-'));
  const [here, there] = [plain(later), plain(earlier)];
  if (here[0] !== there[0]) return false;
  if (/^git (?:commit|push)$/.test(there.slice(0, 2).join(' '))) return here[1] === there[1];
  return here.every((word) => there.includes(word) || word === './...' || word === '.');
}

/** Whether a command tells if the work is right. */
export const checks = (script: string): boolean =>
  commandsOf(script).some((words) =>
    /^(?:\S*\b(?:jest|vitest|pytest|eslint|tsc|mypy|golangci-lint|ruff|biome|rspec)\b|(?:npm|pnpm|yarn|mise|make|go|cargo|just|task|bun)\b(?:\s+(?:run|--?\S+|@\S+|web|api))*\s+\S*(?:test|lint|build|check|vet|typecheck|fmt|clippy)\S*)/.test(
      words.join(' '),
    ),
  );
