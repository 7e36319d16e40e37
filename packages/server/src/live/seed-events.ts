import { type JsonObject, jsonOf } from '@devs/core';
import type { SupervisedNotice } from '../served-supervisor.js';

/** What goes over the wire: seed 002's names and fields where it has them, `terminal:<kind>` for everything else. */
export interface WireEvent {
  readonly name: string;
  readonly data: JsonObject;
}

/**
 * The only translation of notices into wire events. Remembers why a renewal started: seed 002 reports a fresh start
 * after a clean exit as `claude-terminal:handoff`.
 */
export function createWireTranslator(): (notice: SupervisedNotice) => readonly WireEvent[] {
  const causes = new Map<string, string>();
  return (supervised) => {
    const { terminal, notice } = supervised;
    if (notice.kind === 'renewal-started') causes.set(terminal, notice.cause);
    const events = translate(supervised, causes.get(terminal));
    if (notice.kind !== 'renewal-started' && notice.kind.startsWith('renewal-')) causes.delete(terminal);
    return events;
  };
}

function translate(
  { terminal, run, renewals, renewsItself, notice }: SupervisedNotice,
  cause?: string,
): readonly WireEvent[] {
  const seed = (name: string, fields: JsonObject): WireEvent => ({
    name: `claude-terminal:${name}`,
    data: { terminalId: terminal, ...fields },
  });
  switch (notice.kind) {
    case 'pressure': {
      const pattern = `${notice.mark} mark: ${Math.round(notice.pressure * 100)} % of the context`;
      return [seed('context-warning', { pattern, handoffCount: renewals, autoHandoff: renewsItself })];
    }
    case 'renewal-started':
      return [seed('context-refresh-started', { refreshCount: notice.refreshCount })];
    case 'renewal-completed': {
      const { refreshCount, hadTask, handoffLength } = notice;
      const completed = seed('context-refresh-completed', { refreshCount, hadTask, handoffLength });
      if (cause !== CLEAN_EXIT) return [completed];
      return [completed, seed('handoff', { handoffCount: refreshCount, freshRestart: true })];
    }
    case 'renewal-failed':
      return [seed('context-refresh-failed', { error: notice.error })];
    case 'renewal-abandoned':
      return [seed('context-refresh-failed', { error: notice.reason })];
    default: {
      const { kind, ...fields } = notice;
      const data = { terminal, ...(run === undefined ? {} : { run }), ...jsonOf(fields) };
      return [{ name: `terminal:${kind}`, data }];
    }
  }
}

const CLEAN_EXIT = 'clean exit';
