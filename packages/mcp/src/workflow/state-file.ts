import { lstatSync, readFileSync, renameSync } from 'node:fs';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, type WorkflowRun } from '@devs/core';
import type { Notices } from './notices.js';

/**
 * `workflow-state.json` in the worktree: the state for external tools. Written soon after each change, in the
 * background and atomically; devs reads it only to avoid overwriting foreign content.
 */
export interface StateFile {
  /** Never throws: what cannot be written becomes a notice. */
  save(run: WorkflowRun): void;
  /** Resolves when the saved state is in the file. */
  flush(): Promise<void>;
}

interface StateFileDeps {
  readonly file: string;
  /** A part of a name that no other file has. */
  readonly newId: () => string;
  readonly notices: Notices;
}

/** Several changes in a short time are one write: the disk has the log to write first. */
const COLLECTING_MS = 200;
const LEFT_BEHIND_MS = 60_000;

export const createStateFile = (deps: StateFileDeps): StateFile => new WrittenState(deps);

class WrittenState implements StateFile {
  private readonly draft: string;
  private wanted: WorkflowRun | undefined;
  private last: { readonly run: string; readonly version: number } | undefined;
  private writing: Promise<void> | undefined;
  private hurry = new AbortController();
  /** The stamp of the file as this process wrote it. */
  private own: string | undefined;
  private isInTrouble = false;

  constructor(private readonly deps: StateFileDeps) {
    this.draft = `${deps.file}.${deps.newId()}.tmp`;
  }

  save = (run: WorkflowRun): void => {
    const { file, newId, notices } = this.deps;
    if (this.last === undefined) {
      keepOthers(file, newId, notices);
      void removeDrafts(file);
    }
    if (this.last?.run === run.id && this.last.version === run.version) return;
    this.last = { run: run.id, version: run.version };
    this.wanted = run;
    this.writing ??= this.writeAll();
  };

  flush = async (): Promise<void> => {
    this.hurry.abort();
    while (this.writing !== undefined) await this.writing;
    this.hurry = new AbortController();
  };

  private async writeAll(): Promise<void> {
    const { file, notices } = this.deps;
    await sleep(COLLECTING_MS, undefined, { signal: this.hurry.signal, ref: false }).catch(() => {});
    while (this.wanted !== undefined) {
      const run = this.wanted;
      this.wanted = undefined;
      try {
        await this.write(run);
        this.isInTrouble = false;
      } catch (error) {
        await rm(this.draft, { force: true }).catch(() => {});
        if (!this.isInTrouble) notices.add(`${file} could not be written: ${messageOf(error)}`);
        this.isInTrouble = true;
      }
    }
    this.writing = undefined;
  }

  private async write(run: WorkflowRun): Promise<void> {
    const { file, newId, notices } = this.deps;
    const { draft, own } = this;
    // What this process wrote itself needs no reading.
    const there = own !== undefined && (await stampOf(file)) === own ? undefined : readRegular(file);
    const found = there === undefined ? undefined : judge(there);
    if (found === 'damaged' || found === 'foreign') {
      const kept = keptName(file, found, newId());
      await rename(file, kept);
      notices.add(keptNotice(file, found, kept));
    } else if (found?.run === run.id && found.version > run.version) return; // another server was faster
    const { id, version, template, state } = run;
    const text = JSON.stringify({ ...state, workflow: template.name, run: id, version }, null, 2);
    await writeFile(draft, `${text}\n`, { mode: 0o600 });
    const stamp = await stampOf(draft);
    await rename(draft, file);
    this.own = stamp;
  }
}

const MAX_BYTES = 64 << 20;

/** Nothing where it is missing or unreadable. A link, which may lead to what never ends, counts as a file without a state. */
function readRegular(file: string): string | undefined {
  try {
    const found = lstatSync(file);
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(file, 'utf8') : '';
  } catch {
    return undefined;
  }
}

/** Before the first answer, so that the answer can mention it. */
function keepOthers(file: string, newId: () => string, notices: Notices): void {
  try {
    const there = readRegular(file);
    const found = there === undefined ? undefined : judge(there);
    if (found !== 'damaged' && found !== 'foreign') return;
    const kept = keptName(file, found, newId());
    renameSync(file, kept);
    notices.add(keptNotice(file, found, kept));
  } catch {
    // Not there, or not readable: writing it will tell.
  }
}

/** What servers that were killed in the middle of writing have left. */
async function removeDrafts(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.filter((other) => other.startsWith(`${basename(file)}.`) && other.endsWith('.tmp'))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - LEFT_BEHIND_MS)
      await rm(path, { force: true }).catch(() => {});
  }
}

async function stampOf(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined);
  return found && `${found.ino}:${found.mtimeMs}:${found.size}`;
}

type Found = 'damaged' | 'foreign' | { readonly run: unknown; readonly version: number };

/** Content from a run of ours is in the log; anything else is kept before it is overwritten. */
function judge(text: string): Found {
  try {
    const state: unknown = JSON.parse(text);
    if (typeof state !== 'object' || state === null || !('step' in state)) return 'damaged';
    if (!('run' in state)) return 'foreign';
    return { run: state.run, version: 'version' in state ? Number(state.version) : 0 };
  } catch {
    return 'damaged';
  }
}

const keptName = (file: string, found: 'damaged' | 'foreign', id: string) =>
  `${file}.${found === 'damaged' ? 'damaged' : 'before'}-${id.slice(0, 8)}`;

const keptNotice = (file: string, found: 'damaged' | 'foreign', kept: string) =>
  found === 'damaged'
    ? `${file} was damaged. It is kept as ${kept}; the workflow continues from the log, which has everything.`
    : `${file} was written by another program. It is kept as ${kept}.`;
