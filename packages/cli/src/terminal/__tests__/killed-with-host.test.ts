import { until } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../../run/__tests__/run-project.js';
import { type FrontDoor, openFrontDoor, RAW_AGENT } from './front-door.js';

const LONG_MS = 280_000;

/** As `kill -9` of both in the same moment: nothing is left that would start another one. */
function killBoth({ stateFolder }: FrontDoor): void {
  const both = processesOf(stateFolder).filter(({ kind }) => kind === 'supervisor' || kind === 'host');
  for (const { pid } of both) process.kill(pid, 'SIGSTOP'); // else the one starts the other again
  for (const { pid } of both) process.kill(pid, 'SIGKILL');
  expect(both).toHaveLength(2);
}

/** Process of the agent that runs now, which is not `other`. */
async function agentPid(door: FrontDoor, other?: number): Promise<number> {
  let pid: number | undefined;
  await until(
    async () => {
      const [hosted] = await door.hosted().catch(() => []);
      pid = hosted?.exit === undefined ? hosted?.pid : undefined;
      return pid !== undefined && pid !== other;
    },
    async () =>
      `an agent that is not ${other}\n${(await door.run('--json')).stdout}\n${(await door.run('log')).stdout}`,
  );
  return pid ?? 0;
}

describe.skipIf(process.platform !== 'linux')('a terminal whose supervisor and host are killed', () => {
  it(
    '[H16] is continued by the window in front of it, which says so',
    async () => {
      const door = openFrontDoor([process.execPath, RAW_AGENT]);
      const window = door.open(['claude', '--theirs']);
      await window.until('[size');
      const before = await agentPid(door);

      killBoth(door);

      await window.until('"shop" continues in the next one');
      await window.until('[args ["--theirs"]]');
      window.type('k');
      await window.until('[keys 6b]');
      expect(await agentPid(door, before)).not.toBe(before);
    },
    LONG_MS,
  );

  it(
    '[H16] is continued by the next command, which says so',
    async () => {
      const door = openFrontDoor([process.execPath, RAW_AGENT]);
      const window = door.open(['claude', '--theirs']);
      await window.until('[size');
      const before = await agentPid(door);
      window.type('\u001dd');
      await window.until('[rc=0]');

      killBoth(door);
      const up = await door.run('up');

      expect(up.stderr).toContain('no supervisor was running. A new one continues terminal shop.');
      await agentPid(door, before);
      const again = door.open(['attach', 'shop']);
      await again.shows('[args ["--theirs"]]');
    },
    LONG_MS,
  );
});
