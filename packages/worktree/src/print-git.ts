import { type NotRead, whyNotRead } from './locate-worktree.js';
import type { Git, GitRunOptions } from './run-git.js';

export type Printed = { readonly outcome: 'printed'; readonly text: string } | NotRead;

/** What git prints, whole. */
export async function printGit(git: Git, args: readonly string[], options: GitRunOptions = {}): Promise<Printed> {
  const chunks: Buffer[] = [];
  const run = await git.run(args, (chunk) => void chunks.push(chunk), options);
  return whyNotRead(run) ?? { outcome: 'printed', text: Buffer.concat(chunks).toString('utf8') };
}
