import { describe, expect, it } from 'vitest';
import type { PermissionChoice } from '../../ports/agent-channel.js';
import { choosePermission } from '../choose-permission.js';

const CHOICES: readonly PermissionChoice[] = [
  { id: 'go', name: 'Yes, run it', kind: 'allow-once' },
  { id: 'go-on', name: 'Always', kind: 'allow-always' },
  { id: 'stop', name: 'No', kind: 'deny-once' },
];

describe('which choice of a permission the user means', () => {
  it.each([
    ['1', 'go'],
    [' 3 ', 'stop'],
    ['yes, RUN it', 'go'],
    ['go-on', 'go-on'],
    ['yes', 'go'],
    ['Y', 'go'],
    ['always', 'go-on'],
    ['no.', 'stop'],
  ])('%j is %s', (answer, id) => {
    expect(choosePermission(answer, CHOICES)).toEqual({ choice: CHOICES.find((choice) => choice.id === id) });
  });

  it('takes other words for a refusal, and keeps them', () => {
    const answer = 'Use the staging server';
    expect(choosePermission(answer, CHOICES)).toEqual({ choice: CHOICES[2], words: answer });
  });

  it.each(['0', '4', 'never'])('knows no choice %s', (answer) => {
    expect(choosePermission(answer, CHOICES)).toBeUndefined();
  });

  it('has no refusal where the agent offers none', () => {
    expect(choosePermission('Rather not', CHOICES.slice(0, 2))).toBeUndefined();
  });
});
