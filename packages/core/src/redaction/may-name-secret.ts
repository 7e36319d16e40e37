/**
 * Whether a part of a text may be the name of a secret, as `judgeKey` would have it: three letters in a row that every such
 * name has somewhere. A quick no for nearly all names, without taking them out of the text.
 */
export function mayNameSecret(text: string, start: number, end: number): boolean {
  let letters = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    letters = ((letters << 5) | (code < 128 ? (LETTERS[code] as number) : 0)) & THREE_LETTERS;
    if (IS_TELLING[letters] === 1) return true;
  }
  return false;
}

/** 1 to 26 for letters of both cases, and 0 for other characters. */
const LETTERS = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = (code | 0x20) - 0x60;
  return code >= 0x40 && letter >= 1 && letter <= 26 ? letter : 0;
});

const THREE_LETTERS = (1 << 15) - 1;

/**
 * Of every word that `judgeKey` and the formats of `secret-formats.ts` look for in a key, the three letters in it that are
 * rarest elsewhere. A dot is any letter or none, a space none.
 */
const TELLING = [
  'pas', // pass, password, passphrase
  '.pw', // pwd, pw
  'ecr', // secret
  'key',
  'tok', // token
  'uth', // auth, authorization
  'pat',
  'ede', // credentials
  'bea', // bearer
  'jwt',
  'oki', // cookie
  'aws',
  'gna', // signature
  'rok', // heroku
  'twi', // twilio
  'udf', // cloudflare
  ' cf', // cf_api
  'tad', // datadog
  ' dd', // dd_
  'tbu', // bitbucket
  'hps', // phpsessid
  'jse', // jsessionid
  'sid', // connect.sid
];

/** The same for expressions: one of these is in every name of a secret. */
export const TELLING_LETTERS: readonly string[] = TELLING.map((three) => three.replace(/[. ]/, ''));

const IS_TELLING = tableOf(TELLING);

function tableOf(telling: readonly string[]): Uint8Array {
  const table = new Uint8Array(THREE_LETTERS + 1);
  for (const three of telling) {
    const first = three.startsWith('.') ? Array.from({ length: 32 }, (_, letter) => letter) : [letterOf(three, 0)];
    for (const letter of first) table[(letter << 10) | (letterOf(three, 1) << 5) | letterOf(three, 2)] = 1;
  }
  return table;
}

function letterOf(text: string, at: number): number {
  return LETTERS[text.charCodeAt(at)] ?? 0;
}
