import { readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { namesIn } from '../output/segments.js';

const Identity = { pid: z.number().int().positive(), started: z.string() };

/** Left by a host in its folder, so that successors can recognise it and find its processes after its death. */
export const HostRecord = z.object({
  ...Identity,
  instance: z.string().regex(/^[A-Za-z0-9-]+$/),
  protocol: z.number(),
  /** The marks that the host itself was started under: not those of its terminals. */
  origin: z.array(z.string()).default([]),
  /** The limit that all its terminals are below; see `lowerCeiling`. */
  ceiling: z.number().optional(),
  /** The supervisor that the host has started: below that limit, too, and no part of any terminal. */
  supervisor: z.object(Identity).optional(),
  terminals: z.array(z.object({ terminalId: z.string(), mark: z.string(), file: z.string(), ...Identity })),
});
export type HostRecord = z.infer<typeof HostRecord>;

export const recordFile = (folder: string): string => join(folder, 'host.json');

export const readHostRecord = (folder: string): HostRecord | undefined => readRecord(recordFile(folder));

/** Whole or not at all; arguments and environments are left out, since they may hold secrets. */
export function writeHostRecord(folder: string, record: HostRecord): void {
  const draft = `${recordFile(folder)}.${record.pid}`;
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
  renameSync(draft, recordFile(folder));
}

const deadFile = (folder: string, instance: string) => join(folder, `dead-${instance}.json`);

/** Kept until none of its processes is left. */
export function buryHostRecord(folder: string, { instance }: HostRecord): void {
  renameSync(recordFile(folder), deadFile(folder, instance));
}

export const listDeadRecords = (folder: string): HostRecord[] =>
  namesIn(folder)
    .filter((name) => /^dead-[A-Za-z0-9-]+\.json$/.test(name))
    .flatMap((name) => readRecord(join(folder, name)) ?? []);

export function forgetDeadRecord(folder: string, { instance }: HostRecord): void {
  removeFile(deadFile(folder, instance));
}

export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function readRecord(path: string): HostRecord | undefined {
  try {
    return HostRecord.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return undefined; // missing, or not ours
  }
}
