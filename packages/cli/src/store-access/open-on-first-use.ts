import type { StoreBackend } from '@devs/core';

/**
 * A store created on first use: a server that is only listed, in an unrelated folder, leaves nothing there. The first
 * caller gets the error if it cannot be created, and the next caller tries again.
 */
export function openOnFirstUse(open: () => Promise<StoreBackend>): StoreBackend {
  let opened: Promise<StoreBackend> | undefined;
  const backend = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    id: async () => (await backend()).id(),
    commit: async (commit) => (await backend()).commit(commit),
    read: async (query) => (await backend()).read(query),
    version: async (stream) => (await backend()).version(stream),
    changed: async (query, signal) => (await backend()).changed(query, signal),
    loadTasks: async (ids) => (await backend()).loadTasks(ids),
    claimableTasks: async (limit) => (await backend()).claimableTasks(limit),
    expiredTasks: async (now, limit) => (await backend()).expiredTasks(now, limit),
    dependentsOf: async (id) => (await backend()).dependentsOf(id),
    listTasks: async (query) => (await backend()).listTasks(query),
    renewLease: async (lease) => (await backend()).renewLease(lease),
    leaseTime: async (caller) => (await backend()).leaseTime(caller),
    loadLease: async (name) => (await backend()).loadLease(name),
    swapLease: async (swap) => (await backend()).swapLease(swap),
    loadSnapshot: async (name) => (await backend()).loadSnapshot(name),
    saveSnapshot: async (name, snapshot) => (await backend()).saveSnapshot(name, snapshot),
    trim: async (trim) => (await backend()).trim(trim),
    compact: async () => (await backend()).compact(),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}
