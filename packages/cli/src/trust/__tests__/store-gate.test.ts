import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStoreGate, isKnownStore } from '../store-gate.js';
import { createMemoryAgreements } from './memory-agreements.js';

function openProject({ isTracked = false, wasUsedBefore = false } = {}) {
  const root = mkdtempSync(join(tmpdir(), 'devs-gate-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, '.devs'));
  const place = { root, file: join(root, '.devs', 'state.db') };
  const agreements = createMemoryAgreements();
  const deps = { agreements, isTracked: async () => isTracked, wasUsedBefore: async () => wasUsedBefore };
  return { place, agreements, gate: createStoreGate(deps), make: () => writeFileSync(place.file, 'a store') };
}

describe('the store of a project', () => {
  it('counts where this user made it', async () => {
    const { gate, place, make, agreements } = openProject();
    await gate.enter(place);
    make();
    await gate.check(place, 'id-1', false);
    await gate.enter(place);
    await gate.check(place, 'id-1', false);
    expect(await isKnownStore(agreements, place, 'id-1')).toBe(true);
    expect(await isKnownStore(agreements, place, 'id-2')).toBe(false);
  });

  it('[S8] is refused before it is opened if it is foreign', async () => {
    const { gate, place, make, agreements } = openProject();
    make();
    await expect(gate.enter(place)).rejects.toThrow('was not made by you in this folder');
    expect(await isKnownStore(agreements, place)).toBe(false);
  });

  it("[S8] is refused if it replaced the user's own", async () => {
    const { gate, place, make } = openProject();
    await gate.enter(place);
    make();
    await gate.check(place, 'id-1', false);
    await gate.enter(place);
    await expect(gate.check(place, 'id-2', false)).rejects.toThrow('was not made by you in this folder');
    await gate.check(place, 'id-3', true); // begun anew by devs, beside the damaged one
    await gate.check(place, 'id-3', false);
  });

  it('counts once the user joined it', async () => {
    const { gate, place, make } = openProject();
    make();
    expect(await gate.join(place)).toBe(true);
    await gate.enter(place);
    await gate.check(place, 'id-1', false);
    expect(await gate.join(place)).toBe(false);
    await expect(gate.check(place, 'id-2', false)).rejects.toThrow('was not made by you');
  });

  it('[S8] is refused where git tracks it, also when the user wants to join it', async () => {
    const { gate, place, make } = openProject({ isTracked: true, wasUsedBefore: true });
    make();
    await expect(gate.enter(place)).rejects.toThrow('came with the repository');
    await expect(gate.join(place)).rejects.toThrow('git rm --cached .devs/state.db');
  });

  it.each(['state.db', 'state.db-wal'])('[S8] is refused where %s is a link', async (name) => {
    const { gate, place, make } = openProject({ wasUsedBefore: true });
    if (name !== 'state.db') make();
    symlinkSync('/dev/null', join(place.root, '.devs', name));
    await expect(gate.enter(place)).rejects.toThrow('is a link');
  });

  it('of a devs that kept no ids counts on, with the id that it has now', async () => {
    const { gate, place, make } = openProject({ wasUsedBefore: true });
    make();
    await gate.enter(place);
    await gate.check(place, 'id-1', false);
    await expect(gate.check(place, 'id-2', false)).rejects.toThrow('was not made by you');
  });

  it('counts for all who make it at the same time', async () => {
    const { gate, place, make } = openProject();
    await Promise.all([gate.enter(place), gate.enter(place)]);
    make();
    await gate.check(place, 'id-1', false);
    await gate.enter(place);
    await gate.check(place, 'id-1', false);
  });
});
