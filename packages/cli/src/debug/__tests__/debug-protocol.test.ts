import { describe, expect, it } from 'vitest';
import { runDevs } from '../../__tests__/run-devs.js';

describe.concurrent('devs debug protocol', () => {
  it('tells people, in plain lines of 80 columns when piped', async () => {
    const { exitCode, stdout, stderr } = await runDevs(['debug', 'protocol']);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('7 turns: 2 straight, 3 resumed, 1 corrected, 1 escalated');
    expect(stdout).toContain('Checked: every answer that came out equals what the model meant to say.');
    expect(stdout).not.toContain('\u001b');
    expect(stdout.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
  });

  it('tells programs, with one JSON object on each line and nothing else', async () => {
    const { exitCode, stdout, stderr } = await runDevs(['debug', 'protocol', '--json']);

    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(events[0]).toMatchObject({ type: 'show.started', turns: 7 });
    expect(events.at(-1)).toMatchObject({
      type: 'show.completed',
      problems: [],
      totals: { turns: 7, straight: 2, resumed: 3, corrected: 1, escalated: 1, reinjectedOn: [5] },
    });
  });
});
