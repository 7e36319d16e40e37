import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const beside = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('the bundle that `devs` starts', () => {
  it('is used only where it is newer than every package that is in it', () => {
    const [, listed = ''] = /const PACKAGES = \[([^;]*)\];/.exec(beside('../../bin/devs.mjs')) ?? [];
    const { dependencies } = JSON.parse(beside('../../package.json')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const own = Object.keys(dependencies).flatMap((name) => (name.startsWith('@devs/') ? [name.slice(6)] : []));

    expect(listed.match(/[a-z-]+/g)).toEqual([...own, 'cli'].sort());
  });
});
