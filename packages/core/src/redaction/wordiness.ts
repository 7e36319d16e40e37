/**
 * How usual a letter is after another one in identifiers and prose, on a scale of bits: 6 is what chance would give, 8
 * four times as often, 4 a quarter. Rows are the first letter, columns the second. Counted over 29,574 different words
 * and identifiers of the typings and documentation that this project depends on; case does not matter.
 */
const LETTER_PAIRS: readonly string[] = [
  '26763360614867060878544451', // a
  '83428031772821730763800050', // b
  '71528007617720920748610041', // c
  '72269333811623731563731151', // d
  '63774541311668254887253751', // e
  '71437610900614800655700050', // f
  '63309156800647620765721042', // g
  '81009000701352812657500040', // h
  '64666560003769851577050405', // i
  '60129111603213731392703101', // j
  '73459442813426440384403040', // k
  '84369321802721830166751060', // l
  '86239000702463880262530030', // m
  '71777682624445730388551031', // n
  '45672440335669570856656311', // o
  '81358015602722850858611030', // p
  '03202002320530230430904020', // q
  '82559450705465720677542050', // r
  '62638416704444761388622461', // s
  '70529207800421750766502070', // t
  '66657560600878370877120200', // u
  '82209131800230600032202010', // v
  '82237026802407820873102330', // w
  '51727312700331490039200250', // x
  '55535331603668590275107023', // y
  '72229013610412920021103055', // z
];
const BY_CHANCE = 6;

const PAIR_BITS = Int8Array.from(LETTER_PAIRS.join(''), (digit) => Number(digit) - BY_CHANCE);

/**
 * How much a text looks like words rather than chance, in bits per pair of neighbours. Names, paths and prose are
 * above 0 (1 is typical), random characters below -0.5 (-1.7 is typical), for any alphabet.
 */
export function wordiness(text: string, start = 0, end: number = text.length): number {
  let halfBits = 0;
  let before = text.charCodeAt(start);
  for (let at = start + 1; at < end; at++) {
    const after = text.charCodeAt(at);
    halfBits += (before | after) < 128 ? halfBitsOf(before, after) : 2 * bitsOfPair(before, after);
    before = after;
  }
  return halfBits / 2 / Math.max(1, end - start - 1);
}

/** Worked out when it is first wanted: few texts have all pairs. */
function halfBitsOf(before: number, after: number): number {
  const pair = (before << 7) | after;
  const known = HALF_BITS[pair] as number;
  if (known !== UNKNOWN) return known;
  const halfBits = 2 * bitsOfPair(before, after);
  HALF_BITS[pair] = halfBits;
  return halfBits;
}

const UNKNOWN = 127;

function bitsOfPair(before: number, after: number): number {
  // aaaa, 0123, XYZ: filled in by hand, or an alphabet
  if (after === before || after === before + 1) return 2;
  const [from, to] = [kindOf(before), kindOf(after)];
  if (from === OTHER || to === OTHER) return 0;
  if (from === DIGIT || to === DIGIT) return from === to ? 1 : -1.5;
  if (from === LOWER && to === UPPER) return -1;
  return PAIR_BITS[((before | 0x20) - 0x61) * 26 + (after | 0x20) - 0x61] as number;
}

const OTHER = 0;
const DIGIT = 1;
const LOWER = 2;
const UPPER = 3;

const kindOf = (code: number) => {
  if (code >= 0x61 && code <= 0x7a) return LOWER;
  if (code >= 0x41 && code <= 0x5a) return UPPER;
  return code >= 0x30 && code <= 0x39 ? DIGIT : OTHER;
};

/** Of every pair of ASCII characters, at `first * 128 + second`: looked up, as it is asked for most of a text. */
const HALF_BITS = new Int8Array(1 << 14).fill(UNKNOWN);
