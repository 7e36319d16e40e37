/** Paths within the folder of the conversation are told from there, as the next conversation begins in it. */
export const relativePath = (path: string, folder: string | undefined): string =>
  isFolder(folder) && path.startsWith(`${folder}/`) && path.length > folder.length + 1
    ? path.slice(folder.length + 1)
    : path;

export const isWithinFolder = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** A path as a call names it, from where its shell is: whole, without `.` and `..`. */
export function pathFromShell(path: string, shellFolder: string | undefined): string {
  const isWhole = /^(?:[/~]|\w:)/.test(path);
  if (shellFolder === undefined || (isWhole && !/\/\.{1,2}(?:\/|$)/.test(path))) return path;
  const parts: string[] = [];
  for (const part of `${isWhole ? '' : `${shellFolder}/`}${path}`.split('/')) {
    if (part === '..' && parts.length > 1) parts.pop();
    else if (part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.join('/') || '/';
}

/**
 * The same for the paths in a text: only if a path begins there, and continues after it. Not for quotes or commands:
 * those are verbatim.
 */
export function relativeText(text: string, folder: string | undefined): string {
  if (!isFolder(folder) || !text.includes(`${folder}/`)) return text;
  return text.replaceAll(`${folder}/`, (found, at: number) => {
    const isWithin = at > 0 && IN_A_PATH.test(text.charAt(at - 1));
    return isWithin || !GOES_ON.test(text.charAt(at + found.length)) ? found : '';
  });
}

const isFolder = (folder: string | undefined): folder is string => folder !== undefined && folder.length > 1;

/** What stands here belongs to a longer path, or to an address. */
const IN_A_PATH = /[\w.~/:@%*})\]-]/;
const GOES_ON = /[\w.~@$*{[(-]/;
