import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repoRoot } from '../lib/paths.mjs';
import { listImports } from '../lib/source/imports.mjs';
import { readSources } from '../lib/source/sources.mjs';

const PICTURE = readFileSync(join(repoRoot, 'docs', 'architecture', 'README.md'), 'utf8');
const OF_TESTS = /\/(__tests__|testing|trials|fixtures)\//;

/** Every package imports core, and cli imports nearly all: these arrows are not drawn. */
const isDrawn = (from: string, to: string) => from !== 'cli' && to !== 'core';

function importedArrows(): readonly string[] {
  const arrows = readSources(['packages'])
    .filter(({ path }) => !OF_TESTS.test(path))
    .flatMap(({ path, text }) => {
      const from = path.split('/')[1] ?? '';
      return listImports(path, text).flatMap(({ specifier }) => {
        const to = /^@devs\/([^/]+)/.exec(specifier ?? '')?.[1];
        return to === undefined || to === from || !isDrawn(from, to) ? [] : [`${from} --> ${to}`];
      });
    });
  return [...new Set(arrows)].sort();
}

it('the picture of the architecture has every package', () => {
  const drawn = [...PICTURE.matchAll(/^ +([a-z-]+)\["\1: /gm)].map(([, name]) => name);
  expect(drawn.sort()).toEqual(readdirSync(join(repoRoot, 'packages')).sort());
});

it('the picture of the architecture has the arrows of the imports, and no others', () => {
  const drawn = [...PICTURE.matchAll(/^ +([a-z-]+ --> [a-z-]+)$/gm)].map(([, arrow]) => arrow);
  expect(drawn.sort()).toEqual(importedArrows());
});
