import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundConversation, UserPlace } from '../reading/transcript-source.js';

/** The newest transcript that Claude Code keeps for a folder, or nothing where it was never used there. */
export async function findClaudeCodeConversation(
  folder: string,
  { home, env }: UserPlace,
): Promise<FoundConversation | undefined> {
  const projects = join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects', projectName(folder));
  const names = await readdir(projects).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => name.endsWith('.jsonl')).map((name) => look(join(projects, name))),
  );
  return found
    .filter((conversation) => conversation !== undefined)
    .sort((a, b) => b.modifiedMs - a.modifiedMs || a.path.localeCompare(b.path))[0];
}

/** As Claude Code names the folder of a project: everything but letters and digits becomes a dash. */
const projectName = (folder: string) => folder.replace(/[^A-Za-z0-9]/g, '-');

async function look(path: string): Promise<FoundConversation | undefined> {
  try {
    const { size, mtimeMs } = await stat(path);
    return size > 0 ? { path, modifiedMs: mtimeMs } : undefined;
  } catch {
    return undefined; // gone in the meantime
  }
}
