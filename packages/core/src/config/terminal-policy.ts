import type { TerminalPolicy } from '../pressure/policy.js';
import type { MarkSettings, RunSettings } from './settings.js';

/** Policy for a terminal of a run, from the user's settings. Disabled parts get a limit of zero. */
export function terminalPolicyOf(settings: RunSettings): Partial<TerminalPolicy> {
  const { observe, pressure, renewal, reinjection, ledger, resume, limits } = settings;
  return {
    observeOnly: observe,
    renewal: renewal.enabled,
    autoHandoff: renewal.enabled && renewal.autoHandoff,
    marks: { soft: level(pressure.soft), firm: level(pressure.firm) },
    mostRenewals: renewal.most,
    interruptMs: renewal.interruptMinutes * 60_000,
    ledgerAfterCompaction: ledger.enabled,
    reminders: reinjection.enabled,
    reminderTurns: reinjection.turns,
    mostResumes: resume.enabled ? resume.most : 0,
    mostParks: limits.park ? limits.most : 0,
  };
}

const level = ({ share, tokens }: MarkSettings) => ({ share, mostTokens: tokens });
