import { posix } from 'node:path';

/** A name of ours in quotes, after a word that loads it. */
const LOADED = /(\bfrom\s*|\bimport\s*|\bimport\s*\(\s*|\brequire\s*\(\s*|\.resolve\s*\(\s*)(["'`])(@devs\/[\w/-]+)\2/g;

/**
 * The text of a program with each `@devs/…` that it loads replaced by the way to that file.
 *
 * @param {string} text
 * @param {string} file where the program is, from the top of the package
 * @param {Map<string, string>} files behind each name, from the top of the package
 */
export function linkImports(text, file, files) {
  return text.replace(LOADED, (_, before, quote, name) => {
    const target = files.get(name);
    if (target === undefined) throw new Error(`${file} loads ${name}, which is not in the package`);
    const way = posix.relative(posix.dirname(file), target);
    return `${before}${quote}${way.startsWith('.') ? way : `./${way}`}${quote}`;
  });
}
