/** What a sandboxed command finds at a path and below it. The deepest matching rule wins. */
export interface SandboxRule {
  /**
   * `show`: as it is, read-only · `write`: as it is · `hide`: empty · `redact`: a read-only copy without its secrets ·
   * `scratch`: an empty place that can be written to, and that is gone with the sandbox
   */
  readonly what: 'show' | 'write' | 'hide' | 'redact' | 'scratch';
  /** Absolute. */
  readonly path: string;
  /** Made where it is missing: a rule about nothing would let the command make it. */
  readonly make?: 'folder' | 'file';
}

/** Paths without a rule are read-only. */
export interface SandboxPlan {
  readonly rules: readonly SandboxRule[];
  readonly network: boolean;
}

/** In the order in which they are laid over each other; of several for one path the last counts. Pure. */
export function arrangeRules(rules: readonly SandboxRule[]): readonly SandboxRule[] {
  const byPath = new Map<string, SandboxRule>();
  for (const rule of rules) byPath.set(rule.path, rule);
  const sorted = [...byPath.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1));
  return sorted.filter((rule, index) => {
    if (rule.what !== 'hide' && rule.what !== 'redact') return true;
    const around = sorted.slice(0, index).findLast(({ path }) => isBelow(rule.path, path));
    return around?.what !== 'hide' && around?.what !== 'scratch'; // there is nothing left to hide
  });
}

/**
 * The folders between a writable place and a guarded path in it. Each needs its own rule: a command could move a
 * folder with the guarded path away and replace it. Pure.
 */
export function foldersBetween(rules: readonly SandboxRule[]): readonly SandboxRule[] {
  const known = new Set(rules.map(({ path }) => path));
  const between = rules.flatMap(({ path }) => {
    const above = parentsOf(path);
    const nearest = above.findIndex((parent) => known.has(parent));
    const holder = rules.find((rule) => rule.path === above[nearest]);
    return holder?.what === 'write' ? above.slice(0, nearest) : [];
  });
  return [...new Set(between)].map((path) => ({ what: 'write', path }));
}

/** The nearest first. */
function parentsOf(path: string): readonly string[] {
  const names = path.split('/').filter((name) => name !== '');
  return names.slice(0, -1).map((_, index) => `/${names.slice(0, names.length - 1 - index).join('/')}`);
}

const depthOf = (path: string): number => path.split('/').filter((name) => name !== '').length;

/** Whether a path is the folder or below it. Pure. */
export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
