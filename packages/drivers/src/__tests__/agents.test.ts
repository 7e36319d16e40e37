import { describe, expect, it } from 'vitest';
import { AGENTS, findAgent, PROGRAM_AGENTS, STARTABLE_AGENTS } from '../agents.js';

const options = { clock: { now: () => 0 }, builtin: { command: ['devs', 'agent'], version: '1.2.3' } };

describe('the registry of agents', () => {
  it('knows each agent once', () => {
    const names = AGENTS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(AGENTS)('has one name for $title, in its transcripts and its driver', async ({ name, ...entry }) => {
    expect(entry.transcripts.agent).toBe(name);
    const driver = await entry.createDriver?.(options);
    expect(driver?.agent ?? name).toBe(name);
  });

  it('starts programs of the user before the built-in agent', () => {
    expect(STARTABLE_AGENTS).toEqual(['claude', 'codex', 'opencode', 'gemini', 'builtin']);
    expect(PROGRAM_AGENTS).toEqual(['claude', 'codex', 'opencode', 'gemini']);
  });

  it('finds an agent by its name', () => {
    expect(findAgent('gemini')?.title).toBe('Gemini CLI');
    expect(findAgent('nobody')).toBeUndefined();
  });
});
