import { readFileSync, renameSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import type { WorkflowRun } from '@devs/core';

/**
 * `workflow-state.json` in the worktree: the state for tools outside. Written soon after each change, in the background and
 * atomically; read by devs only to see whether somebody else's work would be overwritten.
 */
export interface StateFile {
  /** Never throws: what cannot be written becomes a notice. */
  save(run: WorkflowRun): void;
  /** Resolves when what was saved is in the file. */
  flush(): Promise<void>;
  /** What happened to the file and was not told yet. */
  takeNotices(): readonly string[];
}

interface StateFileDeps {
  readonly file: string;
  /** A part of a name that no other file has. */
  readonly newId: () => string;
}

export function createStateFile({ file, newId }: StateFileDeps): StateFile {
  const notices: string[] = [];
  let wanted: WorkflowRun | undefined;
  let written: { readonly run: string; readonly version: number; readonly text: string } | undefined;
  let writing: Promise<void> | undefined;
  keepForeign();

  /** Before the first answer, so that it can be told there. */
  function keepForeign(): void {
    try {
      const problem = objectionTo(readFileSync(file, 'utf8'));
      if (problem === undefined) return;
      const kept = keptName(file, problem, newId());
      renameSync(file, kept);
      notices.push(keptNotice(file, problem, kept));
    } catch (error) {
      if (!isMissing(error)) notices.push(`${file} could not be read: ${messageOf(error)}`);
    }
  }

  async function writeAll(): Promise<void> {
    await Promise.resolve(); // several changes in one turn are one write
    while (wanted !== undefined) {
      const run = wanted;
      wanted = undefined;
      try {
        await write(run);
      } catch (error) {
        notices.push(`${file} could not be written: ${messageOf(error)}`);
      }
    }
    writing = undefined;
  }

  async function write(run: WorkflowRun): Promise<void> {
    const text = `${JSON.stringify({ ...run.state, workflow: run.template.name, run: run.id }, null, 2)}\n`;
    const there = await readFile(file, 'utf8').catch(() => undefined);
    const problem = there === undefined || there === written?.text ? undefined : objectionTo(there);
    if (problem !== undefined) {
      const kept = keptName(file, problem, newId());
      await rename(file, kept);
      notices.push(keptNotice(file, problem, kept));
    }
    const draft = `${file}.${newId()}.tmp`;
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
    written = { run: run.id, version: run.version, text };
  }

  return {
    save(run) {
      if (written?.run === run.id && written.version === run.version) return;
      wanted = run;
      writing ??= writeAll();
    },
    async flush() {
      while (writing !== undefined) await writing;
    },
    takeNotices: () => notices.splice(0),
  };
}

type Objection = 'damaged' | 'foreign';

const keptName = (file: string, problem: Objection, id: string) =>
  `${file}.${problem === 'damaged' ? 'damaged' : 'before'}-${id.slice(0, 8)}`;

const keptNotice = (file: string, problem: Objection, kept: string) =>
  problem === 'damaged'
    ? `${file} was damaged. It is kept as ${kept}; the workflow goes on from the log, which has everything.`
    : `${file} was written by another program. It is kept as ${kept}.`;

/** Why a text must not be overwritten without keeping it. What a run of ours has left is in the log. */
function objectionTo(text: string): Objection | undefined {
  try {
    const state: unknown = JSON.parse(text);
    if (typeof state !== 'object' || state === null || !('step' in state)) return 'damaged';
    return 'run' in state ? undefined : 'foreign';
  } catch {
    return 'damaged';
  }
}

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
