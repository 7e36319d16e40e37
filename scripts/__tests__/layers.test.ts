import { describe, expect, it } from 'vitest';
import { checkLayers } from '../lib/source/layers.mjs';
import { readSources } from '../lib/source/sources.mjs';

describe('the layers', () => {
  it('hold in every source file', () => {
    const problems = readSources(['packages', 'bench', 'examples']).flatMap(({ path, text }) =>
      checkLayers(path, text),
    );

    expect(problems).toEqual([]);
  });
});

describe('an import that points the wrong way', () => {
  it.each([
    ["import { run } from '@devs/cli';"],
    ["import '@devs/cli';"],
    ["export { run } from '@devs/cli';"],
    ["export * from '@devs/cli/run';"],
    ["const cli = await import('@devs/cli');"],
    ['const cli = await import(`@devs/cli`);'],
    ["const cli = require('@devs/cli');"],
    ["import type { Run } from '@devs/cli';"],
    ["type Run = import('@devs/cli').Run;"],
    ["import cli = require('@devs/cli');"],
  ])('is found in %s', (text) => {
    expect(checkLayers('packages/store/src/a.ts', text)).toEqual([
      expect.stringContaining('packages/store/src/a.ts: store must not import @devs/cli'),
    ]);
  });

  it('is not found in a comment or a string', () => {
    const text = `// import { run } from '@devs/cli';\nexport const text = "import '@devs/cli'";`;

    expect(checkLayers('packages/store/src/a.ts', text)).toEqual([]);
  });
});

describe('the arrows', () => {
  it.each([
    { from: 'core', to: 'store', allowed: false },
    { from: 'store', to: 'core', allowed: true },
    { from: 'store', to: 'drivers', allowed: false },
    { from: 'supervisor', to: 'terminals', allowed: true },
    { from: 'supervisor', to: 'mcp', allowed: false },
    { from: 'supervisor', to: 'fleet', allowed: false },
    { from: 'fleet', to: 'store', allowed: true },
    { from: 'server', to: 'supervisor', allowed: true },
    { from: 'server', to: 'api', allowed: true },
    { from: 'api', to: 'core', allowed: true },
    { from: 'api', to: 'store', allowed: false },
    { from: 'api', to: 'supervisor', allowed: false },
    { from: 'dashboard', to: 'api', allowed: true },
    { from: 'builtin-agent', to: 'server', allowed: false },
    { from: 'cli', to: 'server', allowed: true },
    { from: 'cli', to: 'dashboard', allowed: false },
    { from: 'dashboard', to: 'server', allowed: false },
    { from: 'dashboard', to: 'core', allowed: false },
    { from: 'attic', to: 'core', allowed: false },
  ])('$from imports $to: $allowed', ({ from, to, allowed }) => {
    expect(checkLayers(`packages/${from}/src/a.ts`, `import { a } from '@devs/${to}';`)).toHaveLength(allowed ? 0 : 1);
  });

  it('let the dashboard fold the log as core does', () => {
    expect(checkLayers('packages/dashboard/src/a.ts', "import { foldTask } from '@devs/core/folds';")).toEqual([]);
    expect(checkLayers('packages/dashboard/src/a.ts', "import { a } from '@devs/core/hooks';")).toHaveLength(1);
  });

  it("let the dashboard know core's types", () => {
    expect(checkLayers('packages/dashboard/src/a.tsx', "import type { A } from '@devs/core';")).toEqual([]);
  });
});

describe('a package', () => {
  it.each([
    { path: 'packages/cli/src/a.ts', specifier: '../../core/src/index.js', allowed: false },
    { path: 'packages/cli/src/run/a.ts', specifier: '../a.js', allowed: true },
    { path: 'bench/lib/a.ts', specifier: '../../packages/core/src/index.js', allowed: false },
    { path: 'bench/lib/a.ts', specifier: '../detect.js', allowed: true },
  ])('$path imports $specifier: $allowed', ({ path, specifier, allowed }) => {
    expect(checkLayers(path, `import '${specifier}';`)).toHaveLength(allowed ? 0 : 1);
  });
});

describe('@devs/core/testing', () => {
  it.each([
    { path: 'packages/cli/src/a.ts', allowed: false },
    { path: 'packages/cli/src/__tests__/a.test.ts', allowed: true },
    { path: 'bench/detect.ts', allowed: true },
    { path: 'examples/01-one-turn/main.ts', allowed: true },
  ])('is for $path: $allowed', ({ path, allowed }) => {
    expect(checkLayers(path, "import { a } from '@devs/core/testing';")).toHaveLength(allowed ? 0 : 1);
  });

  it('is not for core itself, by any path', () => {
    expect(checkLayers('packages/core/src/protocol/a.ts', "import { a } from '../testing/a.js';")).toHaveLength(1);
  });
});

describe('core', () => {
  it.each([
    ["import { readFile } from 'node:fs';"],
    ["import Redis from 'ioredis';"],
    ['await import(name);'],
    ['process.exit(1);'],
    ['const env = { process };'],
    ["console.log('here');"],
    ['setTimeout(stop, 1000);'],
    ["await fetch('http://localhost');"],
    ['const now = Date.now();'],
    ['const today = new Date();'],
    ['const id = Math.random();'],
  ])('does not say %s', (text) => {
    expect(checkLayers('packages/core/src/protocol/a.ts', text)).toHaveLength(1);
    expect(checkLayers('packages/core/src/protocol/__tests__/a.test.ts', text)).toEqual([]);
    expect(checkLayers('packages/core/src/testing/a.ts', text)).toEqual([]);
  });

  it.each([
    ["import { z } from 'zod';"],
    ['clock.now(); port.process.console; const port = { fetch: 1, setTimeout() {} };'],
    ['interface Port { fetch(url: string): string; process: string }'],
    ['const then = new Date(startedAt); const most = Math.max(1, 2);'],
    ["// console.log('here');"],
  ])('may say %s', (text) => {
    expect(checkLayers('packages/core/src/protocol/a.ts', text)).toEqual([]);
  });
});
