/** Advice for a user whose files or disk keep devs from working; `undefined` for other errors. */
export function adviceForSystemError(error: unknown): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  const where = typeof path === 'string' ? ` (${path})` : '';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk is full${where}. Make room and try again; what was stored is stored.`;
    case 'EROFS':
      return `the folder is read-only${where}. Use a writable folder.`;
    case 'EACCES':
    case 'EPERM':
      return `permission denied${where}. Check with \`ls -ld\`, or work in another folder.`;
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open. Close other programs, or raise the limit with `ulimit -n`.';
    default:
      return undefined;
  }
}
