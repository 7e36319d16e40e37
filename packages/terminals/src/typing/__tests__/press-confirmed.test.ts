import { until } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openScreen } from '../../screen/open-screen.js';
import { fixtureAgent, openTestHost } from '../../testing/index.js';
import { pressConfirmed } from '../press-confirmed.js';

/** A dialog that loses the first keys, as a program does whose dialog is drawn before it is ready. */
async function startDialog(keysLost: number) {
  const { host, spawn, dispose } = await openTestHost();
  onTestFinished(dispose);
  const terminal = await spawn({ terminalId: 'a', ...fixtureAgent('shows-a-dialog', keysLost) });
  const { screen } = await openScreen({ host, terminalId: 'a', onExit: () => {} });
  const isAsked = () => screen.text().includes('Do you trust');
  await until(isAsked);
  const pressed: string[] = [];
  const write = (data: string) => {
    pressed.push(data);
    return host.write(terminal, data);
  };
  return { terminal: { write }, isAsked, pressed, until: (text: string) => until(() => screen.text().includes(text)) };
}

describe('keys that are confirmed', () => {
  it('[H20] are pressed once where the dialog takes them', async () => {
    const dialog = await startDialog(0);

    expect(await pressConfirmed({ ...dialog, keys: '2' })).toBe('taken');
    expect(dialog.pressed).toEqual(['2']);
  });

  it('[H20] are pressed again where the dialog lost them, and no more once it is gone', { tags: 'long' }, async () => {
    const dialog = await startDialog(1);

    expect(await pressConfirmed({ ...dialog, keys: '2' })).toBe('taken');
    expect(dialog.pressed).toEqual(['2', '2']);
  });

  it('are not pressed where the dialog is gone before', async () => {
    const dialog = await startDialog(0);

    expect(await pressConfirmed({ ...dialog, keys: '2', isAsked: () => false })).toBe('taken');
    expect(dialog.pressed).toEqual([]);
  });
});
