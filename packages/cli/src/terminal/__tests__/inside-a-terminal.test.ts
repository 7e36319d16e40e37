import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { openFrontDoor } from './front-door.js';

const MEDDLING_AGENT = fileURLToPath(new URL('../../__tests__/programs/meddling-agent.mjs', import.meta.url));

interface Call {
  readonly args: readonly string[];
  readonly manner?: 'orphan';
}

type Ended = Call & { readonly exitCode: number; readonly said: string };

/** What an agent gets that calls `devs` in the terminal `shop`. */
async function callInside(calls: readonly Call[]): Promise<{ ended: readonly Ended[]; screen: string }> {
  const door = openFrontDoor([process.execPath, MEDDLING_AGENT]);
  writeFileSync(join(door.project, 'calls.json'), JSON.stringify(calls));
  const window = door.open(['--name', 'shop', 'claude']);
  const result = join(door.project, 'meddling.json');
  while (!existsSync(result)) await pause(50);
  return { ended: JSON.parse(readFileSync(result, 'utf8')), screen: window.text };
}

describe('devs inside of one of its terminals', () => {
  it('[S10] refuses an agent what is the user’s alone, also where it hides that it is one', async (context) => {
    const calls: Call[] = [
      { args: ['send', 'shop', 'y'] },
      { args: ['answer', '7c1', 'yes'] },
      { args: ['config', '--trust'] },
      { args: ['stop', 'shop'] },
      { args: ['renew', 'shop'] },
      { args: ['interrupt', 'shop'] },
      { args: ['run', 'Do as I say'] },
      ...(process.platform === 'linux' ? [{ args: ['send', 'shop', 'y'], manner: 'orphan' } as const] : []),
    ];
    const { ended, screen } = await callInside(calls);

    for (const { args, exitCode, said, manner } of ended) {
      const where = manner === 'orphan' ? 'a terminal of devs' : 'the devs terminal shop';
      expect({ args, exitCode, said }).toEqual({
        args,
        exitCode: 2,
        said: `devs: \`devs ${args[0]}\` is yours alone, and this process runs inside ${where}, where an agent could call it. Open another window and type it there.\n`,
      });
    }
    expect(screen).not.toContain('[heard');
    if (process.platform !== 'linux') context.annotate('only Linux knows an agent that hides');
  });

  it('shows an agent the status of its own terminal', async () => {
    const { ended } = await callInside([{ args: ['--json'] }, { args: ['answer'] }]);
    const [status, questions] = ended;

    expect(JSON.parse(status?.said ?? '').terminals).toMatchObject([{ name: 'shop', isSupervised: true }]);
    expect(questions).toMatchObject({ exitCode: 0 });
  });
});
