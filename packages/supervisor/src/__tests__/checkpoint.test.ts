import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorld } from './world.js';

describe('the work of a terminal that is renewed', () => {
  it('[H6] is kept where no push reaches it, in the handoff by name, and the branch, index and files stay what they were', async () => {
    const world = await openWorld();
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
        cwd: world.project,
        encoding: 'utf8',
      });
    git('init', '--quiet', '--initial-branch=main');
    writeFileSync(join(world.project, 'old.ts'), 'old');
    git('add', 'old.ts');
    git('commit', '--quiet', '-m', 'first');
    const terminal = await world.supervise();
    await world.say(terminal, 'Write the parser @write parser.ts');
    const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('branch', '--list')];
    await terminal.renew();

    const { checkpoint = '' } = terminal.status();
    expect(checkpoint).toBe('refs/devs/checkpoints/parser/1');
    expect(git('--git-dir=.git/devs/checkpoints.git', 'show', `${checkpoint}:parser.ts`)).toContain('Write the parser');
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('branch', '--list')]).toEqual(before);
    expect(world.starts().at(-1)?.system).toContain('parser.ts');
  });
});
