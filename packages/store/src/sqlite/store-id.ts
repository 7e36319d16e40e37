import { StoreReplacedError } from '@devs/core';
import type { Sql } from './sql.js';

export interface StoreId {
  /** As it was when the file was opened. */
  readonly value: string;
  /** Throws where the file holds another id by now. */
  check(): void;
}

function readStoreId(sql: Sql, file: string): StoreId {
  const stored = sql.query<[string]>(`SELECT value FROM facts WHERE name = 'store_id'`);
  const read = () => stored.first()?.[0] ?? '';
  const value = read();
  return {
    value,
    check() {
      if (read() !== value) throw replaced(file);
    },
  };
}

/** Closes the connection and throws if the store is not the expected one. */
export function openStoreId(sql: Sql, file: string, expected: string | undefined): StoreId {
  const id = readStoreId(sql, file);
  if (expected === undefined || id.value === expected) return id;
  sql.close();
  throw replaced(file);
}

const replaced = (file: string) =>
  new StoreReplacedError(
    `${file} is not the store that was here before: it was replaced or emptied. Put the former file back, or begin with this one under another name: --store sqlite:FILE.`,
  );
