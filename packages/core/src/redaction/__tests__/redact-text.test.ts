import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plantedSecrets } from '../../testing/planted-secrets.js';
import { createRandom } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { redactText } from '../redact-text.js';
import { SECRET_FORMATS } from '../secret-formats.js';

const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
const RANDOM = 'q7Zt8wXv3KpR5mNs9LbY2cDf';

describe('redactText', () => {
  it.each([
    [
      'DATABASE_URL=postgres://app:hunter2@db/app',
      'DATABASE_URL=postgres://app:[redacted:connection-string-password]@db/app',
    ],
    ['mysql://u:p@ss/w0rd:x@h:3306/d?a=1', 'mysql://u:[redacted:connection-string-password]@h:3306/d?a=1'],
    [
      'amqp://a:bcd@h1,amqp://c:def@h2',
      'amqp://a:[redacted:connection-string-password]@h1,amqp://c:[redacted:connection-string-password]@h2',
    ],
    ['https://bob:hunter2@host/x', 'https://bob:[redacted:url-password]@host/x'],
    [`https://${RANDOM}@host/x`, 'https://[redacted:url-password]@host/x'],
    [`Authorization: Bearer ${RANDOM}`, 'Authorization: Bearer [redacted:bearer-token]'],
    ['authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [redacted:basic-credentials]'],
    [`Authorization: token ${TOKEN}`, 'Authorization: token [redacted:github-token]'],
    [`Proxy-Authorization: ${RANDOM}`, 'Proxy-Authorization: [redacted:authorization]'],
    [`bearer ${RANDOM}`, 'bearer [redacted:bearer-token]'],
    [`Cookie: theme=dark; sid=${RANDOM}; a=1`, 'Cookie: theme=dark; sid=[redacted:cookie]; a=1'],
    [`Set-Cookie: sid=${RANDOM}; Max-Age=3600000`, 'Set-Cookie: sid=[redacted:cookie]; Max-Age=3600000'],
    ['PASSWORD=hunter2!', 'PASSWORD=[redacted:password]'],
    ['export DB_PASS=correcthorse', 'export DB_PASS=[redacted:password]'],
    ['{"api_key": "abcdef-ghijkl"}', '{"api_key": "[redacted:credential]"}'],
    ['{\\"client_secret\\":\\"abcdef9\\"}', '{\\"client_secret\\":\\"[redacted:credential]\\"}'],
    ["'password' => 'hunter2',", "'password' => '[redacted:password]',"],
    ['password: hunter2\nuser: bob', 'password: [redacted:password]\nuser: bob'],
    ['password: correcthorse\nuser: bob', 'password: [redacted:password]\nuser: bob'],
    ['password: |\n  hunter2\nuser: bob', 'password: |\n  [redacted:password]\nuser: bob'],
    ['Server=db;Password=Hunter2;Database=x', 'Server=db;Password=[redacted:password];Database=x'],
    ['<password>hunter2</password>', '<password>[redacted:password]</password>'],
    ['run --password correct-horse-battery-staple --yes', 'run --password [redacted:password] --yes'],
    ['run --password hunter2 --yes', 'run --password [redacted:password] --yes'],
    ["run --api-key 'abc def' --api-key 'abcdef9'", "run --api-key 'abc def' --api-key '[redacted:credential]'"],
    ['curl -u bob:hunter2 https://x', 'curl -u bob:[redacted:password] https://x'],
    ['redis-cli -h cache -a hunter2 ping', 'redis-cli -h cache -a [redacted:password] ping'],
    ['redis-cli --pass correcthorse ping', 'redis-cli --pass [redacted:password] ping'],
    ['/usr/bin/redis-cli -a "a b;c d" ping', '/usr/bin/redis-cli -a "[redacted:password]" ping'],
    ['mysql -u root -pcorrecthorse shop', 'mysql -u root -p[redacted:password] shop'],
    ["mysqldump -uroot -p'x y z!' shop > dump", "mysqldump -uroot -p'[redacted:password]' shop > dump"],
    [
      'docker exec db mysql -phunter2 && mariadb -pHunter3',
      'docker exec db mysql -p[redacted:password] && mariadb -p[redacted:password]',
    ],
    ['curl -sSu bob:hunter2 https://x', 'curl -sSu bob:[redacted:password] https://x'],
    ['curl -ubob:hunter2 https://x', 'curl -ubob:[redacted:password] https://x'],
    ["curl -s \\\n  --proxy-user 'bob:correct horse' x", "curl -s \\\n  --proxy-user 'bob:[redacted:password]' x"],
    ['{"cmd":"redis-cli -a \\"hunter2\\"\\n"}', '{"cmd":"redis-cli -a \\"[redacted:password]\\"\\n"}'],
    ["sshpass -p 'hunter2' ssh x", "sshpass -p '[redacted:password]' ssh x"],
    ['machine x login bob password hunter2', 'machine x login bob password [redacted:password]'],
    [
      'machine a.example\n  login bob\n  password swordfish\n',
      'machine a.example\n  login bob\n  password [redacted:password]\n',
    ],
    ['machine a login b account c password swordfish', 'machine a login b account c password [redacted:password]'],

    ['default login b\n\tpassword swordfish', 'default login b\n\tpassword [redacted:password]'],
    ['{"f":"machine a\\nlogin b\\npassword swordfish"}', '{"f":"machine a\\nlogin b\\npassword [redacted:password]"}'],
    ['password: correct-horse-battery-staple', 'password: [redacted:password]'],
    ['passwd = correct-horse-battery-staple\n', 'passwd = [redacted:password]\n'],
    ['{ password: correct-horse-battery-staple, user: bob }', '{ password: [redacted:password], user: bob }'],
    ['{"password":"correct-horse-battery-staple"}', '{"password":"[redacted:password]"}'],
    ['Passphrase: correct horse battery staple\nuser: bob', 'Passphrase: [redacted:password]\nuser: bob'],
    ['"password": "correct horse battery staple"', '"password": "[redacted:password]"'],
    ['Ocp-Apim-Subscription-Key: 0123456789abcdef0123456789abcdef', 'Ocp-Apim-Subscription-Key: [redacted:credential]'],
    ["ALTER ROLE bob PASSWORD 'hunter2';", "ALTER ROLE bob PASSWORD '[redacted:password]';"],
    ["IDENTIFIED BY 'hunter2'", "IDENTIFIED BY '[redacted:password]'"],
    [`//packages.example.org/:_authToken=${RANDOM}`, '//packages.example.org/:_authToken=[redacted:credential]'],
    ['HEROKU_KEY=01234567-89ab-cdef-0123-456789abcdef', 'HEROKU_KEY=[redacted:heroku-api-key]'],
    [`?token=${RANDOM}&page=2`, '?token=[redacted:credential]&page=2'],
    [`/srv/data/${RANDOM}x/file`, '/srv/data/[redacted:high-entropy]/file'],
    [`service_account_name_${RANDOM}`, 'service_account_name_[redacted:high-entropy]'],
    [`😀${TOKEN}😀`, '😀[redacted:github-token]😀'],
    [`a%3D${RANDOM}`, 'a%3D[redacted:high-entropy]'],
    [`\\u001b[1;32m${RANDOM}\\n`, '\\u001b[1;32m[redacted:high-entropy]\\n'],
  ])('%j becomes %j', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });

  it.each([
    '',
    'password',
    'password: string;',
    'password?: string | undefined,',
    'const password = user.password;',
    'const token = getToken(request);',
    'const secret = options?.secret ?? loadSecret();',
    'privateKey: Uint8Array;',
    'token: TokenKind.Identifier,',
    "{ token: 'IDENTIFIER', start: 3 }",
    "headers['x-api-key'] = apiKey;",
    "const HEADER = { apiKey: 'x-api-key' };",
    `Authorization: \`Bearer \${token}\``,
    'Authorization: Bearer <token>',
    'The authorization: ask your administrator.',
    'PASSWORD="$DB_PASSWORD"',
    `PASSWORD=\${DB_PASSWORD:-}`,
    'API_KEY=<your-api-key>',
    'API_KEY=***',
    'password: changeme',
    'password: must be at least twelve characters',
    'password: choose something only you know',
    'password: your-password-goes-here',
    'password: from-the-environment',
    'password: client-side-only validation',
    'password: reset link expired yesterday',
    'secret: my-tls-certificate',
    'api_key: blue-green-deployment-name',
    'const password = first-second-third + 1;',
    'On this machine the login page\nasks for the password twice.',
    'By default login is off and password reset is on.',
    'subscription_key: string;',
    'API_KEY=sk-ant-…',
    'SECRET_FILE=/run/secrets/database',
    'password: /run/secrets/database_password_2',
    'next_page_token: "abc123def456"',
    '--- PASS: TestOffset_4_only_last_message (0.00s)',
    'max_tokens: 100000',
    'postgres://localhost:5432/app',
    'https://localhost:3000/@scope/package',
    'mongodb://h1:27017,h2:27017/db?replicaSet=a',
    'docker run -u 1000:1000 image',
    'docker run --name mysql -p3306:3306 -p 8080:80 mysql',
    'mysql -u root -p shop',
    'mysql -P3306 -p$MYSQL_ROOT_PASSWORD',
    'redis-cli -a "$REDIS_PASSWORD" ping',
    'redis-cli -a <password> ping',
    'The redis-cli -a option takes a password.',
    'redis-cli -h localhost -p 6379 --pass',
    'mkdir -p packages/core && ls -a packages',
    'curl -u bob https://x',
    'curl -fsSL https://x/install.sh | sh',
    'commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12',
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '783f57a4-b930-4e52-937c-0da86f2ae263',
    'sessionId: "783f57a4-b930-4e52-937c-0da86f2ae263"',
    '"session_id": "2026-01-27-4a56e049-55bb-4fe5-b8aa-2b77bae3423d"',
    'toolu_01A09q90qw90lq917835lq9Xy',
    'msg_01BvXEuiHXh78Tywu6qMe1zU',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'sha512-m3HSJL1i83hdltRq0+o9czGb+8KJDKra4t/3JRlnPKcjI8PZm6XBHXx6zG4UuMXaDEZjR1wuXDre9G9zvN7AQw==',
    'SHA256:pL1+qb9HTMRZJmuC/bB/ZI9d302BYrrqiVuRyW+DGrU',
    'golang.org/x/text v0.3.7 h1:olpwvP2KacW1ZWvsR7uQhoyTYvKAupfQrRGBFM352Gk=',
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJq3Xv7kQp9ZtR5mNs8LbY2cDfGh bob@host',
    'https://docs.google.com/document/d/1U1RGAehQwRypUTovF1KRlpiOFze0b-_2gc6fAH0KY0k/edit',
    '/nix/store/0c7c96gikmzv87i7lv3vq5s1cmfjd6zf-glibc-2.35/lib',
    'node_modules/.pnpm/@babel+core@7.2.0_supports-color@8.1.1/node_modules/@babel/core/lib/index.js',
    'at Object.<anonymous> (file:///home/anna/shop/packages/core/src/redaction/find-random-runs.ts:42:17)',
    'getElementsByTagNameNS ZodCheckUUIDv4Params armv7-unknown-linux-gnueabihf',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
    '-----BEGIN CERTIFICATE-----\nMIIGMTCCBBmgAwIBAgICEAAwDQYJKoZIhvcNAQELBQAwajELMAkGA1UEBhMCVVMx\n-----END CERTIFICATE-----',
    '😀😀😀😀😀😀😀😀😀😀😀😀',
  ])('leaves %j alone', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it('removes a private key whole, with headers, line numbers or escapes, and the rest of a cut-off key', () => {
    const line = 'MIIEpAIBAAKCAQEA7bq3Xv7kQp9ZtR5mNs8LbY2cDfGhJk4TwXz6VaCeBdFgHiJ1';
    const [begin, end] = ['RSA', 'RSA'].map(
      (name, at) => `-----${at === 0 ? 'BEGIN' : 'END'} ${name} PRIVATE KEY-----`,
    );
    const texts = [
      `a\n${begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n${line}\n${line}\nq3Z=\n${end}\nb`,
      `a\n${begin}\n${line}\n${line}\nq3Z8\n\nb`,
      `a\n     1→${begin}\n     2→${line}\n     3→${line}\nb`,
      `"key": "${begin}\\n${line}\\n${line}\\n${end}\\n", "b": 1`,
      `"key": "${begin}\\n${line}\\n${line}`,
    ];
    expect(texts.map(redactText)).toEqual([
      'a\n[redacted:private-key]\nb',
      'a\n[redacted:private-key]\n\nb',
      'a\n     1→[redacted:private-key]\nb',
      '"key": "[redacted:private-key]\\n", "b": 1',
      '"key": "[redacted:private-key]',
    ]);
  });
});

describe('for any text, redactText', () => {
  const planted = plantedSecrets(createRandom(seed()), 3).map(({ document }) => document);
  const pieces = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom(...'aB3/+_-=.:"\'\\ \n{}[]<>@$%&;,|~`'), maxLength: 30 }),
    fc.constantFrom(...planted, '[redacted:jwt]', '\ud83d', '\\u001b[31m', 'password=', 'token: "', '://', '--token '),
    fc.constantFrom(...SECRET_FORMATS.flatMap(({ starts }) => starts)),
  );
  const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
  const settings = { seed: seed(), numRuns: rounds(300, 100_000) };

  it('finds nothing in what it returned', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const redacted = redactText(text);
        expect(redactText(redacted)).toBe(redacted);
      }),
      settings,
    );
  });

  it('changes nothing but what it replaces, and splits no character in two', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let from = 0;
        const kept = redactText(text).split(/\[redacted:[\w-]+\]/);
        for (const part of kept) {
          const at = text.indexOf(part, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + part.length;
        }
        if (!/\p{Surrogate}/u.test(text)) expect(redactText(text)).not.toMatch(/\p{Surrogate}/u);
      }),
      settings,
    );
  });

  it('returns the same text where no finder has anything to say: words and numbers', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$|^[0-9]{1,8}$/), { maxLength: 40 });
    fc.assert(
      fc.property(words, (some) => {
        expect(redactText(some.join(' '))).toBe(some.join(' '));
      }),
      settings,
    );
  });
});
