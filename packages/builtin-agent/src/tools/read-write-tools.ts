import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { redactText } from '@devs/core';
import { z } from 'zod';
import { confineChange, confinePath, isOfGit } from './confine-path.js';
import { defineFileTool } from './file-tool.js';
import { ToolError } from './tool-error.js';

const MAX_FILE_BYTES = 5_000_000;
const path = z.string().min(1).describe('Relative to the worktree');
const line = z.int().min(1);

export const readFileTool = defineFileTool({
  name: 'read_file',
  description: 'Reads a text file, or the lines from..to of it (counted from 1, both included).',
  isReadOnly: true,
  input: z.strictObject({ path, from: line.optional(), to: line.optional() }),
  async run({ path: wanted, from = 1, to }, { root }) {
    const place = await confinePath(root, wanted);
    const raw = await readText(place, wanted);
    const text = isOfGit(await confinePath(root, '.'), place) ? redactText(raw) : raw;
    if (from === 1 && to === undefined) return { output: text };
    return {
      output: text
        .split('\n')
        .slice(from - 1, to)
        .join('\n'),
    };
  },
});

export const writeFileTool = defineFileTool({
  name: 'write_file',
  description: 'Writes a whole file, new or in place of an existing one. Folders are made.',
  isReadOnly: false,
  input: z.strictObject({ path, content: z.string() }),
  async run({ path: wanted, content }, { root }) {
    await replaceFile(await confineChange(root, wanted), content);
    return { output: `wrote ${wanted} (${content.length} characters)` };
  },
});

export const editFileTool = defineFileTool({
  name: 'edit_file',
  description: 'Replaces a text that occurs exactly once in a file.',
  isReadOnly: false,
  input: z.strictObject({ path, old: z.string().min(1), new: z.string() }),
  async run({ path: wanted, old, new: replacement }, { root }) {
    const place = await confineChange(root, wanted);
    const text = await readText(place, wanted);
    const at = text.indexOf(old);
    if (at === -1) throw new ToolError(`${wanted} does not hold the text in \`old\`: read the file again`);
    if (text.indexOf(old, at + 1) !== -1) {
      throw new ToolError(`the text in \`old\` occurs more than once in ${wanted}: take more of what is around it`);
    }
    await replaceFile(place, text.slice(0, at) + replacement + text.slice(at + old.length));
    return { output: `edited ${wanted}` };
  },
});

async function readText(place: string, wanted: string): Promise<string> {
  const facts = await stat(place).catch(() => undefined);
  if (facts === undefined) throw new ToolError(`there is no file ${wanted}`);
  if (facts.isDirectory()) throw new ToolError(`${wanted} is a folder: use list_files`);
  if (!facts.isFile()) throw new ToolError(`${wanted} is no regular file`);
  if (facts.size > MAX_FILE_BYTES) throw new ToolError(`${wanted} has ${facts.size} bytes: too long to be read whole`);
  const bytes = await readFile(place);
  if (bytes.includes(0)) throw new ToolError(`${wanted} is no text`);
  return bytes.toString('utf8');
}

/** Whole or not at all: a crash in between must not leave half a file. */
async function replaceFile(place: string, content: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  const mode = (await stat(place).catch(() => undefined))?.mode;
  const draft = `${place}.${randomUUID().slice(0, 8)}.new`;
  try {
    await writeFile(draft, content);
    if (mode !== undefined) await chmod(draft, mode & 0o7777);
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
