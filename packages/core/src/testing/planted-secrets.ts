import type { Random } from './random.js';

/** A secret as it would be issued. No literal here is one, so that scanners of this repository find nothing. */
export interface PlantedSecret {
  readonly kind: string;
  /** The secret, or the text around it that makes it one. */
  readonly text: string;
  /** Must not be left of it, nor any ten consecutive characters. */
  readonly hidden: string;
  /** Already in its context; otherwise it is put into all kinds of contexts. */
  readonly isPlaced: boolean;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const BASE62 = UPPER + LOWER + DIGITS;
const BASE64 = `${BASE62}+/`;
const BASE64_URL = `${BASE62}-_`;

type Maker = (random: Random) => Omit<PlantedSecret, 'kind'>;

const letters = (random: Random, alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[random.below(alphabet.length)]).join('');

/** A token: some prefixes, and a number of characters of an alphabet. */
const token =
  (starts: readonly string[], alphabet: string, length: number, after = ''): Maker =>
  (random) => {
    const hidden = letters(random, alphabet, length);
    return { text: random.pick(starts) + hidden + after, hidden, isPlaced: false };
  };

const built =
  (build: (random: Random) => string): Maker =>
  (random) => {
    const text = build(random);
    return { text, hidden: text, isPlaced: false };
  };

/** A secret that only its context reveals: `$` is its place. */
const placed =
  (surroundings: readonly string[], alphabet: string, length: number): Maker =>
  (random) => {
    const hidden = letters(random, alphabet, length);
    return { text: random.pick(surroundings).replace('$', () => hidden), hidden, isPlaced: true };
  };

const pem = (random: Random, label: string, isCut: boolean) => {
  const lines = Array.from({ length: 6 + random.below(12) }, () => letters(random, BASE64, 64));
  const hidden = [...lines, letters(random, BASE64, 24)].join('\n');
  const end = isCut ? '\n\nThe output ends here.' : `\n-----END ${label}-----\n`;
  return { text: `-----BEGIN ${label}-----\n${hidden}${end}`, hidden, isPlaced: true };
};

export const MAKERS: Readonly<Record<string, Maker>> = {
  'aws-access-key': token(['AKIA', 'ASIA'], `${UPPER}234567`, 16),
  'aws-secret-key': placed(
    ['AWS_SECRET_ACCESS_KEY=$', 'aws_secret_access_key = $', '"SecretAccessKey": "$"', "secretAccessKey: '$',"],
    BASE64,
    40,
  ),
  'gcp-api-key': token(['AIza'], BASE64_URL, 35),
  'google-oauth-token': token(['ya29.'], BASE64_URL, 120),
  'google-oauth-secret': token(['GOCSPX-'], BASE64_URL, 28),
  'azure-storage-key': placed(
    ['DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=$==;EndpointSuffix=core.windows.net', 'key1: $=='],
    BASE64,
    86,
  ),
  'azure-sas-signature': placed(
    ['https://acme.blob.core.windows.net/box/a.txt?sv=2022-11-02&sp=r&sig=$%3D'],
    BASE62,
    43,
  ),
  'azure-client-secret': token(['aB18Q~', '.x_7Q~'], `${BASE62}_~.-`, 34),
  'github-token': token(['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], BASE62, 36),
  'github-fine-grained-token': token(['github_pat_'], `${BASE62}_`, 82),
  'gitlab-token': token(['glpat-'], BASE64_URL, 20),
  'bitbucket-token': token(['ATBB'], BASE62, 32),
  'npm-token': token(['npm_'], BASE62, 36),
  'pypi-token': token(['pypi-AgEIcHlwaS5vcmc'], BASE64_URL, 100),
  'docker-token': token(['dckr_pat_'], BASE64_URL, 27),
  'slack-token': token(['xoxb-', 'xoxp-', 'xoxa-'], `${BASE62}-`, 50),
  'slack-webhook': placed(['https://hooks.slack.com/services/T01ABCDEF/B02ABCDEF/$'], BASE62, 24),
  'stripe-key': token(['sk_live_', 'rk_live_'], BASE62, 24),
  'openai-key': token(['sk-', 'sk-proj-'], BASE62, 48),
  'anthropic-key': token(['sk-ant-api03-', 'sk-ant-admin01-'], BASE64_URL, 93, 'AA'),
  'sendgrid-key': built((random) => `SG.${letters(random, BASE64_URL, 22)}.${letters(random, BASE64_URL, 43)}`),
  'twilio-key': token(['SK'], HEX, 32),
  'mailgun-key': token(['key-'], HEX, 32),
  'digitalocean-token': token(['dop_v1_', 'doo_v1_', 'dor_v1_'], HEX, 64),
  'heroku-api-key': token(['HRKU-AA'], BASE64_URL, 58),
  'shopify-token': token(['shpat_', 'shpca_', 'shppa_', 'shpss_'], HEX, 32),
  'telegram-token': built(
    (random) => `${1 + random.below(9)}${letters(random, DIGITS, 9)}:AA${letters(random, BASE64_URL, 33)}`,
  ),
  'discord-token': built(
    (random) => `MT${letters(random, BASE62, 22)}.${letters(random, BASE64_URL, 6)}.${letters(random, BASE64_URL, 38)}`,
  ),
  jwt: built(
    (random) =>
      `eyJ${letters(random, BASE64_URL, 33)}.eyJ${letters(random, BASE64_URL, 90)}.${letters(random, BASE64_URL, 43)}`,
  ),
  'vault-token': token(['hvs.', 'hvb.'], BASE64_URL, 95),
  'databricks-token': token(['dapi'], HEX, 32),
  'terraform-token': built((random) => `${letters(random, BASE62, 14)}.atlasv1.${letters(random, BASE64_URL, 67)}`),
  'age-secret-key': token(['AGE-SECRET-KEY-1'], 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58),
  'huggingface-token': token(['hf_'], UPPER + LOWER, 34),
  'private-key': (random) => pem(random, random.pick(['RSA PRIVATE KEY', 'PRIVATE KEY', 'EC PRIVATE KEY']), false),
  'ssh-private-key': (random) => pem(random, 'OPENSSH PRIVATE KEY', false),
  'cut-private-key': (random) => pem(random, 'RSA PRIVATE KEY', true),
  'service-account-key': (random) => {
    const { text, hidden } = pem(random, 'PRIVATE KEY', false);
    const json = JSON.stringify({ type: 'service_account', private_key: text, client_email: 'a@b.iam' });
    return { text: json, hidden: hidden.replaceAll('\n', '\\n'), isPlaced: true };
  },
  'connection-string-password': placed(
    [
      'DATABASE_URL=postgres://app:$@db.internal:5432/app?sslmode=require',
      'mysql://root:$@127.0.0.1:3306/shop',
      "mongoose.connect('mongodb+srv://app:$@cluster0.abcde.mongodb.net/test');",
      'redis://:$@cache:6379/0',
      'broker_url: amqp://guest:$@rabbit:5672/%2f',
    ],
    `${BASE62}!$^*`,
    16,
  ),
  'url-password': placed(
    ['git clone https://bob:$@git.example.org/x.git', 'proxy = http://svc:$@proxy:3128', 'fetch("https://a:$@h/")'],
    BASE62,
    14,
  ),
  'bearer-token': placed(
    ['Authorization: Bearer $', `curl -H "Authorization: Bearer $" https://x.example`, `"authorization": "Bearer $",`],
    `${BASE64_URL}.`,
    40,
  ),
  'basic-credentials': placed(['Authorization: Basic $==', "-H 'Authorization: Basic $=='"], BASE64, 22),
  cookie: placed(
    [
      'Cookie: theme=dark; session=$; lang=en',
      "curl -b x -H 'Cookie: sid=$' https://x",
      'Set-Cookie: sid=$; Path=/; HttpOnly',
    ],
    BASE62,
    32,
  ),
  password: placed(
    [
      'PASSWORD=$7',
      'DB_PASSWORD="$7"',
      '  password: $7',
      '{"user":"bob","password":"$7"}',
      'mysqldump --password=$7 shop',
      'Pwd=$7;Server=db',
    ],
    `${BASE62}!#%^*`,
    14,
  ),
  'high-entropy': built((random) => `${letters(random, BASE64, 20)}7${letters(random, BASE64, 22)}=`),
};

/** Where people leave secrets. */
export const SURROUNDINGS: readonly ((secret: string) => string)[] = [
  (secret) => `# local\nexport SERVICE_TOKEN=${secret}\nPORT=3000\n`,
  (secret) => `SERVICE_KEY="${secret}"`,
  (secret) => `{"service":{"credential":"${secret}","retries":3}}`,
  (secret) => `service:\n  retries: 3\n  value: ${secret}\n  region: eu-central-1\n`,
  (secret) => `$ deploy --region eu --token ${secret} --yes\ndone in 3 s`,
  (secret) => `curl -sS -H "X-Api-Key: ${secret}" https://api.example.com/v1/items`,
  (secret) => `curl -H 'Authorization: Bearer ${secret}' https://api.example.com`,
  (secret) => `const client = new Client('${secret}', { retries: 3 });`,
  (secret) => `client = Client(key=os.environ.get("KEY", "${secret}"))`,
  (secret) => `2026-01-27T09:18:57.495Z ERROR auth: rejected ${secret} (401) after 3 attempts`,
  (secret) => `GET https://api.example.com/v1/items?page=2&access_token=${secret}&sort=asc HTTP/1.1`,
  (secret) => `first line\n${secret}\nlast line\n`,
  (secret) => `Use \`${secret}\` for now, please.`,
  (secret) => `I found (${secret}), and it works.`,
  (secret) => JSON.stringify({ output: JSON.stringify({ log: `start\n${secret}\nend` }) }),
  (secret) => `\u001b[32m${secret}\u001b[0m ok`,
  (secret) => `<server><token>${secret}</token></server>`,
  (secret) => `diff --git a/.env b/.env\n-KEY=old\n+KEY=${secret}\n`,
  (secret) => `| key | ${secret} |`,
  (secret) => `     7→  value: "${secret}",`,
];

export function plantedSecrets(random: Random, perFormat: number): readonly (PlantedSecret & { document: string })[] {
  return Object.entries(MAKERS).flatMap(([kind, make]) =>
    Array.from({ length: perFormat }, () => {
      const secret = { kind, ...make(random) };
      return { ...secret, document: secret.isPlaced ? secret.text : random.pick(SURROUNDINGS)(secret.text) };
    }),
  );
}

/** Ten characters in a row of a secret that a text still has, or nothing. */
export function leftOf(hidden: string, text: string): string | undefined {
  for (let at = 0; at === 0 || at + 10 <= hidden.length; at++) {
    if (text.includes(hidden.slice(at, at + 10))) return hidden.slice(at, at + 10);
  }
  return undefined;
}
