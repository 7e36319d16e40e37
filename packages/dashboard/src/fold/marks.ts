import { DEFAULT_POLICY, type PressureMarks } from '@devs/core/folds';

/** A setting as the API gives it. */
interface Setting {
  readonly key: string;
  readonly value?: unknown;
}

export const USUAL_MARKS: PressureMarks = DEFAULT_POLICY.marks;

/** The marks that a project has set. Pure. */
export function marksOf(settings: readonly Setting[]): PressureMarks {
  const numberAt = (key: string, usual: number): number => {
    const value = settings.find((setting) => setting.key === key)?.value;
    return typeof value === 'number' ? value : usual;
  };
  const level = (name: 'soft' | 'firm') => ({
    share: numberAt(`pressure.${name}.share`, USUAL_MARKS[name].share),
    mostTokens: numberAt(`pressure.${name}.tokens`, USUAL_MARKS[name].mostTokens),
  });
  return { soft: level('soft'), firm: level('firm') };
}

/** A mark in tokens of a window: its share, or its own limit where that is lower. Pure. */
export const markTokens = ({ share, mostTokens }: PressureMarks['soft'], windowTokens: number): number =>
  Math.min(share * windowTokens, mostTokens);

/** What Claude Code keeps free for its answer and its summary. */
const CLAUDE_KEEPS_FREE = 33_000;
const SHARES: Readonly<Record<string, number>> = { builtin: 0.8, codex: 0.9 };

/** Where an agent compacts by itself, in tokens: the last safety net. `undefined` where that is not known. Pure. */
export function backstopTokens(agent: string | undefined, windowTokens: number): number | undefined {
  if (agent === 'claude') return Math.max(0, windowTokens - CLAUDE_KEEPS_FREE);
  const share = SHARES[agent ?? ''];
  return share === undefined ? undefined : share * windowTokens;
}

/** The project that a folder belongs to: the deepest one around it. Pure. */
export function projectAround<Project extends { readonly root: string }>(
  projects: readonly Project[],
  folder: string,
): Project | undefined {
  return projects
    .filter(({ root }) => folder === root || folder.startsWith(`${root}/`))
    .sort((a, b) => b.root.length - a.root.length)[0];
}
