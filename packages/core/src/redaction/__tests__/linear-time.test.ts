import { describe, expect, it } from 'vitest';
import { rounds } from '../../testing/rounds.js';
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

/** A megabyte in `.ci/soak`. */
const LARGE = rounds(100_000, 1_000_000);
const PARTS = 10;
/** As long as its ten parts, one after the other; where the search is quadratic, ten times as long. */
const MAX_TIMES_SLOWER = 5;
/** What is slow because of a compilation or a collection is quick at one of them; what is slow by itself is slow at each. */
const TRIES = 50;

describe('redactText takes time in proportion to the text', () => {
  it.each(UNITS)('for as many as one likes of %j', (unit) => {
    expect(timesSlower(unit)).toBeLessThan(MAX_TIMES_SLOWER);
  });

  it('and does not run out of stack on a run of millions of characters', () => {
    for (const start of ['ghp_', 'API_KEY='])
      expect(redactText(start + 'aB3'.repeat(rounds(700_000, 7_000_000))).length).toBeLessThan(100);
  });
});

/** The least processor time for the whole against the least for its parts. Stops where that is good enough. */
function timesSlower(unit: string): number {
  const [part, whole] = [LARGE / PARTS, LARGE].map((length) => unit.repeat(Math.ceil(length / unit.length)));
  let [slow, quick] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let done = 0; done < TRIES && !(slow / quick < MAX_TIMES_SLOWER); done++) {
    quick = Math.min(quick, timeOf(part ?? '', PARTS));
    slow = Math.min(slow, timeOf(whole ?? '', 1));
  }
  return slow / quick;
}

function timeOf(text: string, times: number): number {
  const before = process.cpuUsage();
  for (let done = 0; done < times; done++) redactText(text);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
