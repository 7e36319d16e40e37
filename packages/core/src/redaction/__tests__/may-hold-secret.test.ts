import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAKERS, plantedSecrets } from '../../testing/planted-secrets.js';
import { createRandom } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { judgeKey } from '../credential-key.js';
import { mayNameSecret } from '../may-name-secret.js';
import { redactFound, redactText } from '../redact-text.js';
import { SECRET_FORMATS } from '../secret-formats.js';

const fromSeed = fc.integer().map((start) => createRandom(start));

const plantedSecret = fc.tuple(fc.constantFrom(...Object.keys(MAKERS)), fromSeed).map(([kind, random]) => {
  return MAKERS[kind]?.(random).text ?? '';
});

/** What searches begin at, end at or look back to: pieces of secrets that are none by themselves. */
const PIECES = [
  ...SECRET_FORMATS.flatMap(({ starts }) => starts),
  ...['password', 'Passwort', 'pw', 'PWD', 'secret', 'apiKey', 'api_key', 'token', 'pat', 'auth', 'credentials'],
  ...['bearer', 'jwt', 'Cookie', 'set-cookie', 'Authorization', 'aws', 'signature', 'HEROKU', 'twilio', 'cloudflare'],
  ...['cf_api', 'datadog', 'dd_', 'bitbucket', 'PHPSESSID', 'JSESSIONID', 'connect.sid', 'redis-cli -a ', 'mysql -p'],
  ...[
    'machine ',
    'default ',
    'login ',
    'account ',
    'password ',
    'correct-horse-battery',
    'correct horse battery staple',
  ],
  ...['curl -u me:', 'mariadb-dump -p', '--', '--token ', '-----BEGIN ', 'RSA PRIVATE KEY-----', '://', '[redacted:'],
  ...[
    '=',
    ':',
    ' = ',
    ': ',
    '"',
    "'",
    '\\"',
    '`',
    '<',
    '>',
    '/',
    '@',
    ' ',
    '\n',
    '\\n',
    '%3D',
    '→',
    '😀',
    '\u001b[31m',
  ],
  ...['hunter22', 'aB3dE5gH7', '48151623', 'correct', 'packages/core/src', 'd41d8cd98f00b204e9800998ecf8427e'],
];

const pieces = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'grapheme', maxLength: 12 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

const text = fc
  .array(fc.oneof({ weight: 3, arbitrary: pieces }, { weight: 1, arbitrary: plantedSecret }), { maxLength: 5 })
  .map((parts) => parts.join(' '));

describe('the quick look that tells whether a text may hold a secret', () => {
  it('changes nothing: what is redacted is what the searches by themselves find', () => {
    fc.assert(
      fc.property(text, (whole) => {
        expect(redactText(whole)).toBe(redactFound(whole));
      }),
      { seed: seed(), numRuns: rounds(500, 150_000) },
    );
  });

  it('nor where a planted secret is cut anywhere', () => {
    for (const { document } of plantedSecrets(createRandom(seed()), rounds(2))) {
      for (let cut = 0; cut < document.length; cut += 7) {
        expect(redactText(document.slice(cut))).toBe(redactFound(document.slice(cut)));
        expect(redactText(document.slice(0, cut))).toBe(redactFound(document.slice(0, cut)));
      }
    }
  });
});

describe('mayNameSecret', () => {
  const WORDS = PIECES.filter((piece) => /^[\w$.-]+$/.test(piece));
  const name = fc
    .array(fc.oneof(fc.constantFrom(...WORDS), fc.constantFrom('_', '-', '.', 'x', 'my', 'Prod', '2', 'db', 'value')), {
      maxLength: 5,
    })
    .chain((parts) => fc.constantFrom(parts.join(''), parts.join('_'), parts.join('').toUpperCase()));

  it('lets every name pass that is judged to name a secret', () => {
    fc.assert(
      fc.property(name, (key) => {
        fc.pre(!judgeKey(key).isOrdinary);
        expect(mayNameSecret(`(${key})`, 1, key.length + 1)).toBe(true);
      }),
      { seed: seed(), numRuns: rounds(500, 150_000) },
    );
  });

  it('stops what code and logs are full of', () => {
    const ordinary = ['name', 'type', 'status', 'https', 'export', 'const', 'className', 'added', 'required', 'id'];
    expect(ordinary.filter((key) => mayNameSecret(key, 0, key.length))).toEqual([]);
  });
});
