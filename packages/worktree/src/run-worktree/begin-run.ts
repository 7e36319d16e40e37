import type { NeededWork, SaidWork } from '@devs/core';
import type { NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { retryLocked } from '../retry-locked.js';
import type { Git } from '../run-git.js';
import type { MovedWork } from './align-worktree.js';
import { commitAt, conflictedFiles, isIn } from './commits-of.js';
import { type ElsewhereWork, findMissingWork, type MissingWork } from './missing-work.js';
import { baseRef } from './run-place.js';

export interface Beginning {
  /** The commit that the branch begins at. */
  readonly base: string;
  /** Further commits to merge. By commit, since a name may point elsewhere later. */
  readonly more: readonly { readonly name: string; readonly commit: string }[];
  readonly notes: readonly string[];
}

/** A branch needs a commit to begin at. */
export type NotBegun = { readonly outcome: 'no-commit' } | NotRead;

/** What two runs did does not go together. */
export interface Conflict {
  readonly outcome: 'conflict';
  readonly branch: string;
  readonly files: readonly string[];
}

interface BeginRequest {
  readonly runId: string;
  readonly from?: readonly string[];
  readonly needs?: readonly NeededWork[];
  readonly elsewhere?: ElsewhereWork;
  readonly base?: string;
  readonly at?: readonly SaidWork[];
  readonly moved?: MovedWork;
}

/**
 * Chooses where the branch starts, once, before anything is created. Work that the user has already merged is part of
 * their own commit.
 */
export async function beginAt(git: Git, request: BeginRequest): Promise<Beginning | NotBegun | MissingWork> {
  const { runId, from = [], needs = [], elsewhere, base } = request;
  if (request.moved !== undefined) return { base: base ?? request.moved.commit, more: [], notes: [] };
  if (request.at !== undefined) return beginExactly(git, request, request.at);
  const printed = await printGit(git, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (printed.outcome !== 'printed') return printed.outcome === 'failed' ? { outcome: 'no-commit' } : printed;
  const head = printed.text.trim();
  const notes: string[] = [];
  const refs = new Map<string, string>();
  for (const need of needs)
    if ((await commitAt(git, need.commit)) === undefined) return { outcome: 'missing-work', ...need };
  const missing = elsewhere && (await findMissingWork(git, elsewhere));
  if (missing !== undefined) return missing;
  for (const ref of [...from, ...needs.map(({ commit }) => commit)]) {
    const commit = await commitAt(git, ref);
    if (commit === undefined)
      notes.push(`${nameOf(ref)} is gone: of its work only that is here which you have merged.`);
    if (commit === undefined || (await isIn(git, commit, head))) refs.set('HEAD', head);
    else refs.set(ref, commit);
  }
  const [[, first] = ['HEAD', head], ...others] = refs;
  const more = others.map(([name, commit]) => ({ name, commit }));
  const known = await commitAt(git, baseRef(runId));
  if (known !== undefined) return { base: known, more, notes };
  const recorded = base === undefined ? undefined : await commitAt(git, base);
  const kept = await keepBase(git, runId, recorded ?? first);
  return typeof kept === 'string' ? { base: kept, more, notes } : kept;
}

/** At commits that were said; the checkout does not count. A commit that is part of another is not merged again. */
async function beginExactly(
  git: Git,
  { runId, base }: BeginRequest,
  at: readonly SaidWork[],
): Promise<Beginning | NotBegun | MissingWork> {
  const commits = [...new Set(at.map(({ commit }) => commit))];
  for (const commit of commits)
    if ((await commitAt(git, commit)) === undefined) return { outcome: 'missing-work', commit };
  const ends: string[] = [];
  for (const commit of commits) if (!(await isInAnother(git, commit, commits))) ends.push(commit);
  const [first, ...others] = ends;
  if (first === undefined) return { outcome: 'no-commit' };
  const more = others.map((commit) => ({ name: commit.slice(0, 10), commit }));
  const known = (await commitAt(git, baseRef(runId))) ?? (base === undefined ? undefined : await commitAt(git, base));
  const kept = await keepBase(git, runId, known ?? first);
  return typeof kept === 'string' ? { base: kept, more, notes: [] } : kept;
}

async function isInAnother(git: Git, commit: string, all: readonly string[]): Promise<boolean> {
  for (const other of all) if (other !== commit && (await isIn(git, commit, other))) return true;
  return false;
}

/** Brings the work of other runs into a new work tree. Gives the commit behind which the run's own begins. */
export async function bringWork(
  git: Git,
  runId: string,
  { base, more }: Beginning,
): Promise<string | Conflict | NotRead> {
  for (const { name, commit } of more) {
    const message = `Merge ${nameOf(name)}`;
    const merged = await printGit(git, ['merge', '--ff', '-m', message, '--quiet', commit]);
    if (merged.outcome === 'printed') continue;
    const files = await conflictedFiles(git);
    if (files.length === 0) return merged;
    // Once the user has merged both, the branch starts at their current commit.
    await printGit(git, ['update-ref', '-d', baseRef(runId)]);
    return { outcome: 'conflict', branch: nameOf(name), files };
  }
  if (more.length === 0) return base;
  const tip = await commitAt(git, 'HEAD');
  return keepBase(git, runId, tip ?? base);
}

async function keepBase(git: Git, runId: string, commit: string): Promise<string | NotRead> {
  const kept = await retryLocked(() => printGit(git, ['update-ref', baseRef(runId), commit]));
  return kept.outcome === 'printed' ? commit : kept;
}

const nameOf = (ref: string): string => ref.replace(/^refs\/heads\//, '');
