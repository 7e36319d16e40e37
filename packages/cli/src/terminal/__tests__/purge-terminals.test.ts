import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@devs/core/testing';
import { expect, it } from 'vitest';
import { openFrontDoor, RAW_AGENT } from './front-door.js';

it('leaves nothing of what an agent printed once its project is purged', async () => {
  const door = openFrontDoor([process.execPath, RAW_AGENT]);
  const window = door.open(['--name', 'shop', 'claude']);
  await window.until('[size 80x24]');
  const output = join(door.stateFolder, 'devs', 'terminals', 'output', 'shop');
  await until(() => existsSync(output)); // it is collected for a moment

  expect(await door.run('purge', '--yes')).toMatchObject({ exitCode: 1 });
  expect(existsSync(output)).toBe(true);

  await door.run('stop', 'shop');
  await window.until('[rc=');
  expect(await door.run('purge', '--yes')).toMatchObject({ exitCode: 0 });
  expect(existsSync(output)).toBe(false);
  expect(JSON.parse((await door.run('--json')).stdout)).not.toHaveProperty('terminals.0');
});
