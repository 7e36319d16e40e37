export type PatchedFile =
  | { readonly path: string; readonly how: 'deleted' }
  | { readonly path: string; readonly how: 'written'; readonly content: string }
  | { readonly path: string; readonly how: 'edited'; readonly movedTo?: string; readonly edits: readonly PatchEdit[] };

/** One place in a file: the old text with a few lines around it, and the new text. */
interface PatchEdit {
  readonly before: string;
  readonly after: string;
}

/**
 * The files in a patch of `apply_patch`, in its own format. A cut-off patch yields its content; other text yields
 * nothing.
 */
export function parsePatch(patch: string): readonly PatchedFile[] {
  return patch
    .replace(/\r\n/g, '\n')
    .replace(/\n\*\*\* End Patch[\s\S]*$/, '')
    .split(/^(?=\*\*\* (?:Add|Delete|Update) File: )/m)
    .flatMap((section) => {
      const [, how = '', path = ''] = /^\*\*\* (Add|Delete|Update) File: (.+)/.exec(section) ?? [];
      return path.trim() === '' ? [] : [fileOf(how, path.trim(), section.split('\n').slice(1))];
    });
}

function fileOf(how: string, path: string, lines: readonly string[]): PatchedFile {
  if (how === 'Delete') return { path, how: 'deleted' };
  if (how === 'Add') return { path, how: 'written', content: linesWith('+', lines) };
  const movedTo = lines
    .map((line) => /^\*\*\* Move to: (.+)/.exec(line)?.[1]?.trim())
    .find((target) => target !== undefined);
  const edits = chunksOf(lines).map((chunk) => ({ before: linesWith('- ', chunk), after: linesWith('+ ', chunk) }));
  return { path, how: 'edited', ...(movedTo === undefined ? {} : { movedTo }), edits };
}

/** `@@` begins another place in the same file. */
function chunksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const chunks: string[][] = [[]];
  for (const line of lines) {
    if (line.startsWith('@@')) chunks.push([]);
    else if (!line.startsWith('*** ')) chunks.at(-1)?.push(line);
  }
  return chunks.filter((chunk) => chunk.some((line) => line.startsWith('+') || line.startsWith('-')));
}

const linesWith = (marks: string, lines: readonly string[]) =>
  lines
    .filter((line) => line !== '' && marks.includes(line.charAt(0)))
    .map((line) => `${line.slice(1)}\n`)
    .join('');
