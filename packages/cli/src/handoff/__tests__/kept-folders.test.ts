import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtinTranscript } from '@devs/drivers';
import { runsFolder } from '@devs/worktree';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hookFolder } from '../../hook/hook-folder.js';
import { createMemoryAgreements } from '../../trust/__tests__/memory-agreements.js';
import { createConversations } from '../create-conversations.js';

/** A user with a project, in whose folders the built-in agent can have been at work. */
function openHome() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'devs-kept-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const project = join(home, 'shop');
  mkdirSync(join(project, '.git'), { recursive: true });
  writeFileSync(join(project, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  const env = { HOME: home, XDG_STATE_HOME: join(home, 'state') };
  const conversationsIn = (folder: string) =>
    createConversations({
      loadAgents: () => import('@devs/drivers'),
      loadWorktree: () => import('@devs/worktree'),
      loadStores: () => import('@devs/store'),
      agreements: createMemoryAgreements(),
      platform: 'linux',
      folder,
      home,
      env,
      now: () => 0,
    });
  /** What a conversation there leaves. */
  const talk = (folder: string, first = JSON.stringify({ type: 'conversation', id: 'c', folder })) => {
    const path = builtinTranscript({ home, env }, folder, 'c');
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${first}\n{"type":"request","id":"r","text":"the password is pass"}\n`);
    return dirname(path);
  };
  /** What hooks leave there. */
  const hook = (root: string) => {
    mkdirSync(root, { recursive: true });
    const folder = hookFolder(join(home, 'state', 'devs', 'hooks'), root);
    folder.make();
    return folder.path;
  };
  return { home, project, env, talk, hook, conversationsIn };
}

describe('files of the built-in agent and the hooks for a project', () => {
  it('is found for its folders and the work trees of its runs, also where they are gone', async () => {
    const { home, project, env, talk, hook, conversationsIn } = openHome();
    const other = join(project, 'vendor', 'other');
    mkdirSync(join(other, '.git'), { recursive: true });
    writeFileSync(join(other, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    const theirs = [other, join(home, 'shop-2'), join(home, 'state/devs/worktrees/shop-00000000/run-1')].flatMap(
      (folder) => [talk(folder), hook(folder)],
    );
    const ours = [
      project,
      join(project, 'src'),
      join(runsFolder(project, env), 'run-1'),
      join(project, '.devs', 'worktrees', 'run-2'),
    ].map((folder) => talk(folder));
    const tops = [project, join(runsFolder(project, env), 'run-1'), join(project, '.devs', 'worktrees', 'run-2')];
    ours.push(...tops.map((top) => hook(top)));
    rmSync(join(runsFolder(project, env), 'run-1'), { recursive: true });
    symlinkSync(project, join(home, 'link'));

    const conversations = conversationsIn(join(home, 'link'));
    const kept = await conversations.kept();
    expect(kept.toSorted()).toEqual(ours.toSorted());

    await conversations.forget(kept);
    expect(ours.filter((path) => existsSync(path))).toEqual([]);
    expect(theirs.filter((path) => !existsSync(path))).toEqual([]);
  });

  it.each(['', 'no JSON', 'null', '{"folder":1}'])(
    'is left alone where it does not say whose it is: %j',
    async (first) => {
      const { project, talk, conversationsIn } = openHome();
      talk(join(project, 'src'), first);
      expect(await conversationsIn(project).kept()).toEqual([]);
    },
  );

  it('is nothing where it was never used', async () => {
    const { project, conversationsIn } = openHome();
    expect(await conversationsIn(project).kept()).toEqual([]);
  });
});
