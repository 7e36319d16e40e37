import { findAgent } from '@devs/drivers/agents';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { TrustServices } from './agreements.js';
import { type Agreements, projectSubject, type Subject } from './agreements.js';

/**
 * Whether the agent is started as trusting the project. Asks the user once. Without a terminal, the agent's own
 * settings decide. Rejects if the user says no.
 */
export async function askFolderTrust(
  { agent, root }: { readonly agent: string; readonly root: string },
  { agreements, confirm }: Pick<TrustServices, 'agreements' | 'confirm'>,
): Promise<boolean> {
  const entry = findAgent(agent);
  if (!entry?.program?.asksForTrust) return false; // in a run no user can answer the agent, so devs asks instead
  if (await agreements.has(folderSubject(root), '')) return true;
  const question = [
    `${entry.title} works by itself in copies of this folder:`,
    '',
    `  ${visible(root)}`,
    '',
    'Its files can make an agent run programs: settings, hooks and MCP servers of the project. You are asked once.',
    'Do you trust the files in this folder?',
  ];
  const answer = await confirm(question.join('\n'));
  if (answer === 'cannot-ask') return false;
  if (answer === 'no') throw new CliError('you do not trust the folder, so nothing was started.');
  await trustFolder(root, agreements);
  return true;
}

export const trustFolder = (root: string, agreements: Agreements): Promise<void> =>
  agreements.add(folderSubject(root), '');

const folderSubject = (root: string): Subject => projectSubject('folder', root, '');
