/** Words as people join them for a password, with dashes or with spaces. */
const JOINED = /^[a-z]{3,20}(?:([-_.])[a-z]{3,20})(?:\1[a-z]{3,20}){1,10}$/i;
const SPACED = /^[a-z]{3,20}(?: [a-z]{3,20}){3,11}$/i;

/** What sentences and labels about passwords are made of, and passwords are not. */
const OF_SENTENCES = new Set(
  (
    'the and for not you your our its this that these those are was were been has have had can could will would shall should may ' +
    'must with without from into onto over under than then when where which who why how all any each more most less least only also ' +
    'but else see use used using set sets unset get gets given give enter type typed choose chosen please same other another new ' +
    'old per via one two three yes none never always missing invalid incorrect wrong required optional empty needed expected ' +
    'password passwords passwd passphrase passphrases passcode pwd secret secrets token tokens key keys credential credentials user ' +
    'users username login account accounts auth authentication authorization hash hashed hashes plain plaintext text string strings ' +
    'field fields input inputs output value values name names file files path env environment variable variables config default ' +
    'defaults example examples test tests placeholder character characters length minimum maximum long short strong weak reset ' +
    'change changed changes update updated expired expires manager store stored vault prompt prompted ask asked read written ' +
    'encrypted encryption server client service database redacted hidden masked removed true false null undefined todo tbd here there'
  ).split(' '),
);

/** Whether the value of a key that names a password is made of words, and is no sentence, label or name. */
export function isPassphrase(value: string): boolean {
  if (!JOINED.test(value) && !SPACED.test(value)) return false;
  return value.split(/[-_. ]/).every((word) => !OF_SENTENCES.has(word.toLowerCase()));
}
