import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../sqlite/__tests__/scratch.js';
import { createSessionStateFile } from '../session-state-file.js';

describe('session-state.json', () => {
  it('holds the state that was saved last, for the user alone, and nothing is left beside it', async () => {
    const file = join(scratchFolder(), '.devs', 'session-state.json');
    const port = createSessionStateFile({ file });
    await port.save({ completed_tasks: [], blocked_tasks: [] });
    await port.save({ blocked_tasks: [{ task_id: 'a', reason: 'no key' }] });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ blocked_tasks: [{ task_id: 'a', reason: 'no key' }] });
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(dirname(file))).toEqual(['session-state.json']);
  });

  it('is whole at every moment while several save', async () => {
    const file = join(scratchFolder(), 'session-state.json');
    const port = createSessionStateFile({ file });
    const stateOf = (size: number) => ({ project: { text: 'x'.repeat(size * 5_000) } });
    await port.save(stateOf(0));
    let isSaving = true;
    const saving = Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((size) => port.save(stateOf(size)))).finally(() => {
      isSaving = false;
    });
    while (isSaving) {
      expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).toEqual(['project']);
      await new Promise(setImmediate);
    }
    await saving;
  });

  it('rejects when it cannot be written, and leaves nothing behind', async () => {
    const folder = scratchFolder();
    const file = join(folder, 'session-state.json');
    mkdirSync(file);
    await expect(createSessionStateFile({ file }).save({})).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['session-state.json']);
  });
});
