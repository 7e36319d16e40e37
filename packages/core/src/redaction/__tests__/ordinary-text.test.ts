import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { redactText } from '../redact-text.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const FOLDERS = ['packages', 'scripts', 'docs', 'bench', 'examples'];
const TYPINGS = ['@types/node', 'zod', 'fast-check', 'vitest'].map((name) => `packages/core/node_modules/${name}`);

/** Words as a log has them: identifiers, paths, hashes, versions, addresses. */
const WORD = /[^\s"'`(),;{}[\]<>]{6,}/g;
/** Certificates, tests of base64 and lists of random numbers are not ordinary. */
const NOT_ORDINARY = /\/redaction\/|TLSProfiles|\.test\.ts$|mersenne/;

describe('ordinary text', () => {
  const files = [
    join(ROOT, 'pnpm-lock.yaml'),
    ...FOLDERS.flatMap((folder) => filesIn(join(ROOT, folder), /\.(?:ts|mjs|md|json|yaml)$/)),
    ...TYPINGS.flatMap((folder) => filesIn(join(ROOT, folder), /\.d\.[cm]?ts$|\.md$|package\.json$/)),
  ].filter((file) => !NOT_ORDINARY.test(file));
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  const words = new Set([
    ...texts.flatMap((text) => text.match(WORD) ?? []),
    ...files.map((file) => relative(ROOT, file)),
  ]);

  it('keeps its identifiers, hashes and paths: of 20,000 and more, fewer than 1 in 1,000 is redacted', () => {
    const redacted = [...words].filter((word) => redactText(word) !== word);

    expect(words.size).toBeGreaterThan(20_000);
    expect(redacted.length / words.size, redacted.join('\n')).toBeLessThan(0.001);
  });

  it('keeps them in their sentences and lines, too', () => {
    const secrets = texts.map((text) => redactText(text).split('[redacted:').length - text.split('[redacted:').length);
    const all = texts.reduce((count, text) => count + (text.match(WORD)?.length ?? 0), 0);

    expect(secrets.reduce((sum, count) => sum + count, 0) / all).toBeLessThan(0.001);
  });

  it('keeps a lockfile as it is', () => {
    expect(redactText(texts[0] as string)).toBe(texts[0]);
  });

  it.each(Object.entries(ORDINARY_KINDS()))('keeps every %s', (_kind, make) => {
    const random = createRandom(seed());
    const made = Array.from({ length: rounds(120, 25_000) }, () => make(random));
    expect(made.filter((text) => redactText(text) !== text)).toEqual([]);
  });
});

function ORDINARY_KINDS(): Readonly<Record<string, (random: Random) => string>> {
  const from = (alphabet: string) => (random: Random, length: number) =>
    Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');
  const hex = from('0123456789abcdef');
  const base62 = from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789');
  const base64 = from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
  const uuid = (random: Random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-');
  return {
    UUID: uuid,
    'commit and digest': (random) => hex(random, random.pick([32, 40, 56, 64, 96, 128])),
    'object of git': (random) => `.git/objects/${hex(random, 2)}/${hex(random, 38)}`,
    'image by digest': (random) => `registry.example.com/team/app@sha256:${hex(random, 64)}`,
    'integrity of a package': (random) => `integrity: sha512-${base64(random, 86)}==`,
    'date and time': (random) => `2026-0${1 + random.below(9)}-1${random.below(10)}T09:18:5${random.below(10)}.495Z`,
    'id of a message or tool call': (random) =>
      `"${random.pick(['msg_01', 'toolu_01', 'req_01', 'call_', 'chatcmpl-'])}${base62(random, 22)}"`,
    'session file': (random) => `/home/dev/.claude/projects/-home-dev-Work-app/${uuid(random)}.jsonl`,
    'hashed asset': (random) => `dist/assets/index-${base62(random, 8)}.js`,
    'temporary folder': (random) => `/tmp/devs-test-${base62(random, 6)}/checkpoints/run-${random.below(1000)}`,
    'package and version': (random) =>
      `@scope/some-package@${random.below(30)}.${random.below(30)}.${random.below(9)}-beta.${random.below(9)}`,
  };
}

function filesIn(folder: string, wanted: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory())
        return ['node_modules', 'dist'].includes(entry.name) && !folder.includes('node_modules')
          ? []
          : filesIn(path, wanted);
      return entry.isFile() && wanted.test(entry.name) ? [path] : [];
    });
}
