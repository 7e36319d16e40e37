import { sandboxSettingsOf } from '@devs/core';
import { findSandbox, type SandboxRequest } from '@devs/worktree';
import type { RunParts } from '../run.js';
import type { Refused } from './refused.js';

export type RunSandbox =
  | {
      readonly status: 'found';
      readonly wanted: Pick<SandboxRequest, 'home' | 'settings' | 'finding'>;
      /** For the user. */
      readonly notes: readonly string[];
    }
  | Refused;

/** What the system can do for the run's commands; a refusal where the user wants more, before anything is made. */
export async function findRunSandbox({
  settings,
  place: { env, home },
  driver,
}: Pick<RunParts, 'settings' | 'place' | 'driver'>): Promise<RunSandbox> {
  const wanted = { home, settings: sandboxSettingsOf(settings) };
  if (settings.sandbox === 'off') return { status: 'found', wanted, notes: [] };
  const finding = await findSandbox(env);
  if (finding.kind !== 'none') return { status: 'found', wanted: { ...wanted, finding }, notes: [] };
  const { reason, advice } = finding;
  if (settings.sandbox === 'required')
    return { status: 'refused', reason: `sandbox is required, and ${reason}`, advice: `${advice}.`, isGeneral: true };
  const isUsed = driver.agent === 'builtin' || settings.setup.length + settings.checks.length > 0;
  const note = `Commands run without a sandbox: ${reason}. ${advice}; \`--set sandbox=off\` accepts it.`;
  return { status: 'found', wanted: { ...wanted, finding }, notes: isUsed ? [note] : [] };
}
