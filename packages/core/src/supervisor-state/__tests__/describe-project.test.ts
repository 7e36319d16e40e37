import { describe, expect, it } from 'vitest';
import { openStore } from '../../event-log/open-store.js';
import { createMemoryBackend } from '../../testing/memory-backend.js';
import { describeProject, recordProject } from '../describe-project.js';

const README = `<!-- badges -->
# The Shop

[![CI](x.svg)](y)

\`\`\`
# not a title
\`\`\`

Sells *things*
to people.

- a list
`;

describe('the description of a project', () => {
  it('is said by its README where that is all there is', () => {
    expect(describeProject({ folderName: 'shop', readme: README, specs: [] })).toEqual({
      name: 'The Shop',
      description: 'Sells *things* to people.',
    });
  });

  it('is said by package.json first, with its scripts, and the specs with their titles', () => {
    const packageJson = JSON.stringify({
      name: '@acme/shop',
      description: 'A shop',
      scripts: { test: 'x', build: 'y' },
    });
    const specs = [{ path: 'docs/tas.md', text: 'intro\n# How it works\n' }];
    expect(describeProject({ folderName: 'shop', readme: README, packageJson, specs })).toEqual({
      name: '@acme/shop',
      description: 'A shop',
      scripts: ['test', 'build'],
      specs: [{ path: 'docs/tas.md', title: 'How it works' }],
    });
  });

  it.each([
    ['nothing', {}],
    ['a package.json that is none', { packageJson: '{"name": 3, "scripts": "x"' }],
    ['a list', { packageJson: '[]' }],
  ])('is the name of its folder where there is %s', (_, texts) => {
    expect(describeProject({ folderName: 'shop', specs: [], ...texts })).toEqual({ name: 'shop' });
  });

  it('stays small for any texts', () => {
    const long = 'x'.repeat(50_000);
    const scripts = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`script-with-a-long-name-${index}`, '']),
    );
    const packageJson = JSON.stringify({ name: long, description: long, scripts });
    const specs = ['tas', 'prd'].map((path) => ({ path, text: `# ${long}` }));
    const described = describeProject({ folderName: 'shop', readme: long, packageJson, specs });
    expect(JSON.stringify(described).length).toBeLessThan(1_000);
  });
});

describe('the record of a project', () => {
  const open = () => {
    let ids = 0;
    return openStore({ backend: createMemoryBackend(), clock: { now: () => 0 }, newId: () => `id-${++ids}` });
  };

  it('is written where it is new, and only then', async () => {
    const store = open();
    for (const name of ['a', 'a', 'b', 'b']) await recordProject(store, { name });
    expect((await store.state()).project).toEqual({ name: 'b' });
    expect(await store.log.read({ stream: 'project:main' })).toHaveLength(2);
  });

  it('is not written again because a secret in it was replaced', async () => {
    const store = open();
    const project = { name: 'x', description: `token ghp_${'a1B2c3D4'.repeat(4)}abcd` };
    for (const _ of [1, 2]) await recordProject(store, project);
    expect(JSON.stringify((await store.state()).project)).not.toContain('ghp_');
    expect(await store.log.read({ stream: 'project:main' })).toHaveLength(1);
  });
});
