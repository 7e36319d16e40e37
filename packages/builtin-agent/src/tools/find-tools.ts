import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createContext, Script } from 'node:vm';
import { redactText } from '@devs/core';
import { z } from 'zod';
import { confinePath, isOfGit } from './confine-path.js';
import { defineFileTool } from './file-tool.js';
import { ToolError } from './tool-error.js';

const MAX_ENTRIES = 500;
const MAX_MATCHES = 200;
const MAX_LINE_CHARS = 300;
const MAX_SEARCHED_BYTES = 1_000_000;
const MAX_FILES = 20_000;
/** A pattern that goes astray must not hold up the agent. */
const MAX_SEARCH_MS = 1_000;
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules']);

export const listFilesTool = defineFileTool({
  name: 'list_files',
  description: `Lists files and folders below a path; not what is in ${[...LEFT_OUT].join(' and ')}.`,
  isReadOnly: true,
  input: z.strictObject({ path: z.string().default('.'), depth: z.int().min(1).max(10).default(2) }),
  async run({ path, depth }, { root }) {
    const place = await confinePath(root, path);
    const facts = await stat(place).catch(() => undefined);
    if (!facts?.isDirectory()) throw new ToolError(`there is no folder ${path}`);
    const entries: string[] = [];
    for await (const { name, isFolder } of walk(place, depth)) {
      if (entries.push(`${relative(place, name)}${isFolder ? '/' : ''}`) > MAX_ENTRIES) break;
    }
    const shown = entries.slice(0, MAX_ENTRIES).join('\n');
    return { output: entries.length > MAX_ENTRIES ? `${shown}\n[… more left out: name a folder]` : shown };
  },
});

export const searchFilesTool = defineFileTool({
  name: 'search_files',
  description: 'Finds lines that match a regular expression (JavaScript), as path:line: text.',
  isReadOnly: true,
  input: z.strictObject({ pattern: z.string().min(1).max(1_000), path: z.string().default('.') }),
  async run({ pattern, path }, { root, signal }) {
    const place = await confinePath(root, path);
    const find = createLineFinder(pattern);
    const found: string[] = [];
    const base = await confinePath(root, '.');
    let looked = 0;
    for await (const { name, isFile } of filesIn(place)) {
      signal.throwIfAborted();
      if (!isFile) continue;
      if (++looked > MAX_FILES || found.length >= MAX_MATCHES) break;
      const raw = await searchable(name);
      const shown = relative(base, name);
      const text = raw !== undefined && isOfGit(base, name) ? redactText(raw) : raw;
      if (text !== undefined) found.push(...find(text).map(({ line, text: hit }) => `${shown}:${line}: ${hit}`));
    }
    if (found.length === 0) return { output: 'no line matches' };
    const more = found.length > MAX_MATCHES ? `\n[… more than ${MAX_MATCHES} lines match]` : '';
    return { output: found.slice(0, MAX_MATCHES).join('\n') + more };
  },
});

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
  /** Not a link, which may lead out of the worktree or to what never ends. */
  readonly isFile: boolean;
}

async function* filesIn(place: string): AsyncGenerator<Entry> {
  if ((await stat(place).catch(() => undefined))?.isFile()) yield { name: place, isFolder: false, isFile: true };
  else yield* walk(place, Number.POSITIVE_INFINITY);
}

/** Links are listed and never followed: they may lead out of the worktree. */
async function* walk(folder: string, depth: number): AsyncGenerator<Entry> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (LEFT_OUT.has(entry.name)) continue;
    const name = join(folder, entry.name);
    yield { name, isFolder: entry.isDirectory(), isFile: entry.isFile() };
    if (entry.isDirectory() && depth > 1) yield* walk(name, depth - 1);
  }
}

async function searchable(name: string): Promise<string | undefined> {
  const facts = await stat(name).catch(() => undefined);
  if (facts === undefined || !facts.isFile() || facts.size > MAX_SEARCHED_BYTES) return undefined;
  const bytes = await readFile(name).catch(() => undefined);
  return bytes === undefined || bytes.includes(0) ? undefined : bytes.toString('utf8');
}

interface Hit {
  readonly line: number;
  readonly text: string;
}

const FIND = new Script(`lines.flatMap((text, at) => (pattern.test(text) ? [at] : []))`);

function createLineFinder(source: string): (text: string) => readonly Hit[] {
  let pattern: RegExp;
  try {
    pattern = new RegExp(source, 'u');
  } catch (error) {
    throw new ToolError(`the pattern is no regular expression: ${error instanceof Error ? error.message : ''}`);
  }
  const world: { pattern: RegExp; lines: readonly string[] } = { pattern, lines: [] };
  const context = createContext(world);
  return (text) => {
    world.lines = text.split(/\r?\n/);
    try {
      const found = FIND.runInContext(context, { timeout: MAX_SEARCH_MS }) as readonly number[];
      return [...found].map((at) => ({ line: at + 1, text: (world.lines[at] ?? '').slice(0, MAX_LINE_CHARS) }));
    } catch {
      throw new ToolError('the pattern takes too long: use a simpler one');
    }
  };
}
