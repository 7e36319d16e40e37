import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FoundConversation,
  newestFirst,
  type UserDirs,
  type WantedConversations,
} from '../reading/transcript-source.js';

/** The transcripts that Claude Code keeps for some folders, the newest first. */
export async function listClaudeCodeConversations(
  { folders, limit }: WantedConversations,
  { home, env }: UserDirs,
): Promise<readonly FoundConversation[]> {
  const projects = join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects');
  const names = [...new Set(folders.map(projectName))];
  const found = await Promise.all(names.map((name) => transcriptsIn(join(projects, name))));
  return found.flat().sort(newestFirst).slice(0, limit);
}

async function transcriptsIn(project: string): Promise<readonly FoundConversation[]> {
  const names = await readdir(project).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => name.endsWith('.jsonl')).map((name) => look(join(project, name))),
  );
  return found.filter((conversation) => conversation !== undefined);
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
