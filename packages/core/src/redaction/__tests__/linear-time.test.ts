import { describe, expect, it } from 'vitest';
import { redactText } from '../redact-text.js';

/** Repeated, each would be the worst case of some search that looks back, looks ahead or tries again. */
const UNITS = [
  'a',
  'aB3dE5gH7',
  'aB3dE5gH7/',
  'aB3dE5gH7_',
  '0123456789abcdef-',
  '//aB3dE5gH7aB3dE5gH7aB',
  'eyJ',
  'eyJaaaaaaaaa-',
  'eyJaaaaaaaaa.',
  '"eyJaaaaaaaa',
  'ghp_',
  'sk-',
  'xoxb-',
  'SG.aaaaaaaaaaaaaaaaaaaa.',
  'MAAAAAAAAAAAAAAAAAAAAAAA.AAAAAA.',
  '123456:A',
  '8Q~',
  '.atlasv1.',
  'sig=AAAAAAAAAAAAAAAAAAAA',
  'key-',
  'token=',
  'token="',
  "password='a\\",
  'password="a b ',
  'password:',
  'password    ',
  'password={',
  '<password>',
  'API_KEY=',
  'password=aB3dE5gH7&',
  '"password',
  'Bearer ',
  'Bearer aaaaaaaaaaaaaaaaaaaaaa ',
  ' -u a',
  'redis-cli -a ',
  'mysql -p',
  'mysql-',
  'curl "',
  'curl -u a:',
  "curl -u 'a",
  'login a ',
  'machine a login b ',
  'machine\n',
  'default login a\n',
  'password: abc-',
  'password: abc-abc-abc ',
  'password: abc abc abc abc ',
  'Authorization: ',
  'authorization:a ',
  'Cookie: ',
  'cookie=',
  'cookie=a=',
  'Cookie: a=b;',
  'set-cookie:a=',
  'redis://a:',
  'redis://a:@@@@',
  'https://a:b@',
  '://',
  '--token ',
  '--',
  '-----BEGIN ',
  '-----BEGIN RSA PRIVATE KEY-----\n',
  '-----BEGIN CERTIFICATE-----\nMIIBaaaaaaaaaaaaaaaaaaaaa\n',
  '=',
  ':',
  '"',
  '\\',
  '/',
  ' ',
  '%3D',
  '\u001b[31m',
  '😀',
  '[redacted:jwt]',
  'data:image/png;base64,',
];

const SMALL = 100_000;
const LARGE = 1_000_000;
/** Ten times the text may take ten times as long, and some more on a busy machine; a quadratic search takes a hundred. */
const MOST_TIMES_SLOWER = 50;

describe('redactText takes time in proportion to the text', () => {
  it.each(UNITS)('for a megabyte of %j', (unit) => {
    const slower = leastOf(4, () => timeOf(unit, LARGE) / timeOf(unit, SMALL));
    expect(slower).toBeLessThan(MOST_TIMES_SLOWER);
  });

  it('and does not run out of stack on a run of 20 million characters', () => {
    for (const start of ['ghp_', 'API_KEY='])
      expect(redactText(start + 'aB3'.repeat(7_000_000)).length).toBeLessThan(100);
  });
});

/** Stops at the first that is good enough. */
function leastOf(tries: number, measure: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let done = 0; done < tries && least >= MOST_TIMES_SLOWER; done++) least = Math.min(least, measure());
  return least;
}

function timeOf(unit: string, length: number): number {
  const text = unit.repeat(Math.ceil(length / unit.length));
  const startedAt = performance.now();
  redactText(text);
  return performance.now() - startedAt;
}
