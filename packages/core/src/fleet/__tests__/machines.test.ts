import { describe, expect, it } from 'vitest';
import { addMachineEvent, type KnownMachine, machineJoined, machineLeft } from '../machine-event.js';
import { unmetNeeds } from '../unmet-needs.js';

const facts = { name: 'ant', slots: 2, labels: ['gpu'], agents: ['claude'], version: '0.1.0' };

describe('the machines of a fleet', () => {
  it('are known by what they said when they joined, and when they left', () => {
    let known: ReadonlyMap<string, KnownMachine> = new Map();
    known = addMachineEvent(known, { ...machineJoined(facts), at: 10 });
    known = addMachineEvent(known, { ...machineJoined({ ...facts, name: 'bee' }), at: 20 });
    known = addMachineEvent(known, { ...machineLeft('ant'), at: 30 });
    expect([...known.values()]).toEqual([
      { ...facts, joinedAt: 10, leftAt: 30 },
      { ...facts, name: 'bee', joinedAt: 20 },
    ]);
    known = addMachineEvent(known, { ...machineJoined({ ...facts, slots: 3 }), at: 40 });
    expect(known.get('ant')).toEqual({ ...facts, slots: 3, joinedAt: 40 });
  });

  it('are not changed by events that say nothing of them', () => {
    const known = addMachineEvent(new Map(), { type: 'machine.moved', data: { name: 'ant' }, at: 1 });
    expect(addMachineEvent(known, { type: 'machine.joined', data: {}, at: 2 }).size).toBe(0);
    expect(addMachineEvent(known, { ...machineLeft('cat'), at: 2 }).size).toBe(0);
  });
});

describe('the needs of tasks', () => {
  const task = (id: string, needs: readonly string[], status: 'pending' | 'done' = 'pending') => ({
    id,
    needs,
    status,
  });

  it('are unmet where no machine has all of them', () => {
    const tasks = [
      task('a', ['gpu']),
      task('b', ['mac']),
      task('c', ['gpu', 'big']),
      task('d', []),
      task('e', ['mac'], 'done'),
    ];
    const machines = [facts, { ...facts, name: 'bee', labels: ['big'] }];
    expect(unmetNeeds(tasks, machines)).toEqual([
      { task: 'b', needs: ['mac'] },
      { task: 'c', needs: ['gpu', 'big'] },
    ]);
    expect(unmetNeeds([task('f', ['claude', 'gpu'])], machines)).toEqual([]);
  });
});
