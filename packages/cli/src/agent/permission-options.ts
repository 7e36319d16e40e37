import type { PermissionRules } from '@devs/core';
import type { Command } from 'commander';
import { UsageError } from '../cli-error.js';

/** As they are typed behind a command that holds an agent. */
export interface PermissionOptions {
  readonly permissions: string;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

const MODES = ['ask', 'allow', 'deny'] as const;

export const withPermissionOptions = (command: Command): Command =>
  command
    .option('--permissions <mode>', 'ask, allow or deny what no rule decides', 'ask')
    .option('--allow <rule>', 'a tool, how a command begins, or a path; repeatable', collect, [])
    .option('--ask <rule>', 'the same, to be asked about in any case; repeatable', collect, [])
    .option('--deny <rule>', 'the same, to be refused in any case; repeatable', collect, []);

const collect = (rule: string, before: readonly string[]): readonly string[] => [...before, rule];

export function rulesOf({ permissions, allow, ask, deny }: PermissionOptions): PermissionRules {
  const mode = MODES.find((one) => one === permissions);
  if (mode === undefined) throw new UsageError(`--permissions is one of ${MODES.join(', ')}, not '${permissions}'.`);
  return { mode, allow, ask, deny };
}
