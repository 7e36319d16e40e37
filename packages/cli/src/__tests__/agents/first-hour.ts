import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from '@devs/core';
import type { FrontDoor } from '../../terminal/__tests__/front-door.js';

const WORKFLOW = `name: one-step
description: Make one file
steps:
  - id: make
    type: action
    instructions: Make the file made.txt and commit it.
`;

/** A repository with one commit. */
export function beginProject({ project }: FrontDoor): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project });
  git('init', '--quiet', '--initial-branch=main');
  writeFileSync(join(project, 'README.md'), '# shop\n');
  git('add', '.');
  git('-c', 'user.name=user', '-c', 'user.email=user@localhost', 'commit', '--quiet', '--message', 'Begin');
}

/** The workflow `one-step`, which the user has yet to agree to. */
export function addWorkflow({ project }: FrontDoor): void {
  const workflows = join(project, '.devs', 'workflows');
  mkdirSync(workflows, { recursive: true });
  writeFileSync(join(workflows, 'one-step.yaml'), WORKFLOW);
}

export const reportOf = async (door: FrontDoor): Promise<RunReport | undefined> => {
  const { stdout } = await door.run('report', '--json');
  return stdout.startsWith('{') ? (JSON.parse(stdout) as RunReport) : undefined;
};

export const questionsOf = async (door: FrontDoor) =>
  (JSON.parse((await door.run('answer', '--json')).stdout) as { questions: { id: string; diagnosis: string }[] })
    .questions;
