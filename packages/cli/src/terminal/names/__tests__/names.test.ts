import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { protectAgentArguments } from '../../protect-agent-arguments.js';
import { checkTerminalName, chooseTerminalName, findTerminalName } from '../terminal-name.js';
import { openTerminalRegistry } from '../terminal-registry.js';

describe('the name of a terminal', () => {
  it.each(['..', '.', '../x', 'a/b', '', '-x', 'a b', 'x'.repeat(41), 'a\u001b[2J', 'a\0b'])('is not %j', (text) => {
    expect(() => checkTerminalName(text)).toThrow('is no name for a terminal');
  });

  it.each([
    ['/home/anna/shop', [], 'shop'],
    ['/home/anna/shop', ['shop', 'shop-2'], 'shop-3'],
    ['/home/anna/My Project (2)', [], 'My-Project-2-'],
    ['/home/anna/.hidden', [], 'hidden'],
    ['/', [], 'agent'],
    ['/home/anna/世界', [], 'agent'],
  ])('in %s beside %j is %s', (folder, taken, name) => {
    expect(chooseTerminalName(folder, (candidate) => (taken as string[]).includes(candidate))).toBe(name);
  });

  it.each([
    ['shop', 'shop'],
    ['pa', 'parser'],
    ['shop-', 'shop-2'],
  ])('may be given as %s: %s', (wanted, name) => {
    expect(findTerminalName(wanted, ['shop', 'shop-2', 'parser'])).toBe(name);
  });

  it.each([
    ['sho', '"sho" can be shop, shop-2. Type more of the name.'],
    ['shpo', 'there is no terminal or run "shpo". Did you mean shop? There is: parser, shop, shop-2'],
    ['xyzzy\u001b[2J', 'there is no terminal or run "xyzzy␛[2J". There is: parser, shop, shop-2'],
    ['', 'there is no terminal or run "". There is: parser, shop, shop-2'],
  ])('that is %j is answered with what there is', (wanted, message) => {
    expect(() => findTerminalName(wanted, ['shop', 'shop-2', 'parser'])).toThrow(message);
  });
});

describe('the list of terminals', () => {
  it('is for its user alone, and passes over what is none', () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'devs-names-')), 'names');
    onTestFinished(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
    const registry = openTerminalRegistry(folder);
    expect(registry.list()).toEqual([]);
    const shop = {
      name: 'shop',
      agent: 'claude',
      folder: '/shop',
      store: { kind: 'sqlite', file: '/shop/.devs/state.db' },
      openedAt: 5,
    } as const;
    registry.put(shop);
    registry.put({ ...shop, openedAt: 6 });
    writeFileSync(join(folder, 'half.json'), '{"agent":');
    writeFileSync(join(folder, '..json'), JSON.stringify(shop));
    writeFileSync(join(folder, 'odd.json'), '{"agent":1,"folder":"/","store":{"kind":"sqlite","file":"/x"}}');

    expect(registry.list()).toEqual([{ ...shop, openedAt: 6 }]);
    expect(registry.get('../names/shop')).toBeUndefined();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'shop.json')).mode & 0o777).toBe(0o600);
    registry.remove('shop');
    expect(registry.list()).toEqual([]);
  });
});

describe('arguments of an agent', () => {
  it.each([
    [['claude'], ['claude', '--']],
    [
      ['claude', '--help', '--name', 'x', '--json'],
      ['claude', '--', '--help', '--name', 'x', '--json'],
    ],
    [
      ['--name', 'x', 'codex', '--', 'a'],
      ['codex', '--name', 'x', '--', '--', 'a'],
    ],
    [
      ['--store=sqlite:a', '--name=claude', 'claude', 'codex'],
      ['claude', '--store=sqlite:a', '--name=claude', '--', 'codex'],
    ],
    [
      ['claude', '--name', 'x', '-p', 'hi'],
      ['claude', '--name', 'x', '--', '-p', 'hi'],
    ],
    [
      ['claude', '--name'],
      ['claude', '--', '--name'],
    ],
    [
      ['task', 'add', 'claude'],
      ['task', 'add', 'claude'],
    ],
    [
      ['help', 'claude'],
      ['help', 'claude'],
    ],
    [
      ['--name', 'claude'],
      ['--name', 'claude'],
    ],
  ])('in %j are its own: %j', (typed, becomes) => {
    expect(protectAgentArguments(typed)).toEqual(becomes);
  });
});
