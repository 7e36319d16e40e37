import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '@devs/core';
import { type BuiltinFact, builtinTranscript } from '@devs/drivers';

export interface Records {
  readonly id: string;
  readonly path: string;
  /** Throws where it cannot be written. */
  append(fact: BuiltinFact): void;
}

interface RecordsPlace {
  readonly id: string;
  readonly folder: string;
  readonly user: Parameters<typeof builtinTranscript>[0];
  readonly clock: Clock;
}

/** The transcript that devs keeps of an ACP agent: one fact on each line. */
export function openRecords({ id, folder, user, clock }: RecordsPlace): Records {
  const path = builtinTranscript(user, folder, id);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return {
    id,
    path,
    append(fact) {
      const { type, ...rest } = fact;
      const record = { at: new Date(clock.now()).toISOString(), type, ...rest };
      appendFileSync(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    },
  };
}
