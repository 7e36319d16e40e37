import { privilegedKeys, type SettingsLayer } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { TrustServices } from './agreements.js';
import { projectSubject, type Subject } from './agreements.js';

/** The user typed these flags in this project: a run that is resumed may have them again. */
export async function rememberFlags(
  flags: readonly SettingsLayer[],
  root: string,
  { agreements }: Pick<TrustServices, 'agreements'>,
): Promise<void> {
  for (const flag of flags.filter(isPrivileged)) await agreements.add(flagsOf(root), contentOf(flag));
}

interface StoredFlags {
  readonly stored: readonly SettingsLayer[];
  /** What the user typed for this very command. */
  readonly typed: readonly SettingsLayer[];
  readonly root: string;
}

/**
 * Otherwise anyone who can write to the store could run programs at the next resume. Rejects if the user does not
 * agree.
 */
export async function checkStoredFlags(
  { stored, typed, root }: StoredFlags,
  { agreements, confirm }: Pick<TrustServices, 'agreements' | 'confirm'>,
): Promise<void> {
  for (const flag of stored.filter(isPrivileged)) {
    const content = contentOf(flag);
    if (typed.some((other) => contentOf(other) === content) || (await agreements.has(flagsOf(root), content))) continue;
    const what = `the run was started with ${visible(flag.where)}, which you did not type in this project`;
    const answer = await confirm(
      `${what}:\n\n  ${visible(flag.text.trim())}\n\nIt counts only with your agreement. Agree?`,
    );
    if (answer === 'cannot-ask')
      throw new UsageError(`${what}. Resume it in a terminal, where you are asked, or type the flag again.`);
    if (answer === 'no') throw new CliError('you did not agree, so nothing was done.');
    await agreements.add(flagsOf(root), content);
  }
}

const isPrivileged = ({ text }: SettingsLayer): boolean => privilegedKeys(text, []).length > 0;

const contentOf = ({ where, text }: SettingsLayer): string => JSON.stringify([where, text]);

const flagsOf = (root: string): Subject => projectSubject('flags', root, '');
