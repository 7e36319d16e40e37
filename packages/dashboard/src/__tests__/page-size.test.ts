import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const PAGE = fileURLToPath(new URL('../../dist/page', import.meta.url));
const MAX_BYTES = 120 << 10;

it('shows its first view after less than 120 KB', () => {
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
  const first = [...html.matchAll(/(?:src|href)="\/([\w./-]+)"/g)].map(([, name = '']) => name);
  const bytes = ['index.html', ...first].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(PAGE, name))).length,
    0,
  );

  expect(first.some((name) => name.endsWith('.js'))).toBe(true);
  expect(bytes).toBeLessThan(MAX_BYTES);
});

it('loads nothing from anywhere else', () => {
  const html = readFileSync(join(PAGE, 'index.html'), 'utf8');
  const styles = readdirSync(join(PAGE, 'assets')).filter((name) => name.endsWith('.css'));

  expect(html).not.toMatch(/(?:src|href)="https?:/);
  for (const name of styles) expect(readFileSync(join(PAGE, 'assets', name), 'utf8')).not.toMatch(/url\(["']?https?:/);
});
