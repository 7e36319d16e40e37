import { oneLine, sentencesIn } from '../document/wording.js';

/**
 * The sentences of a request that tell how to work, rather than what to do next. Of a long one, which is a plan or something
 * pasted rather than a person talking, only those that begin with an order, and not many.
 */
export function standingSentences(text: string): readonly string[] {
  const isSpoken = text.length <= MAX_SPOKEN_LENGTH;
  const order = isSpoken ? STANDING : ORDERING;
  const found = sentencesIn(text)
    .flatMap((sentence) => sentence.split(/(?<=[。！？])/).map(oneLine))
    .filter((sentence) => sentence.length <= MAX_SENTENCE_LENGTH && !/[?？]$/.test(sentence))
    .filter((sentence) => order.test(sentence) || isOrderElsewhere(sentence));
  return isSpoken ? found : found.slice(0, MAX_OF_LONG);
}

const MAX_SPOKEN_LENGTH = 1_500;
const MAX_SENTENCE_LENGTH = 600;
const MAX_OF_LONG = 8;

/** Said to a listener: “never touch”, “and don't push”; not “which never returns”. */
const STANDING =
  /(?:^|[,;:(] ?|\b(?:please|you|we|should|and|but|also|so|just|I'd|yes|no) )(?:always|never|don['’]?t|do not)\b|\b(?:you must|must(?: not| never)|make sure|from now on|every time you|keep (?:each|all|the)|I prefer|we prefer|on purpose)\b/i;
const ORDERING =
  /^(?:\W*(?:please|important|note|rule)\W+)?(?:always|never|don['’]?t|do not|you must|make sure|from now on)\b/i;

/** What each of those expressions needs: quick to look for, where classes of all the world's letters are not. */
const TELLING_ELSEWHERE =
  /niemals|nie wieder|immer|ab jetzt|ab sofort|stets|auf kein|keinesfalls|achte|bitte|jamais|toujours|désormais|partir de|dorénavant|nunca|jamás|siempre|adelante|sempre|diante|non |ora in poi|nooit|altijd|vanaf|[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/i;

const isOrderElsewhere = (sentence: string): boolean =>
  TELLING_ELSEWHERE.test(sentence) && OTHER_LANGUAGES.test(sentence);

/** German, French, Spanish, Portuguese, Italian, Dutch; Japanese, Chinese, Korean, Russian. Others are not known. */
const OTHER_LANGUAGES = new RegExp(
  [
    /(?<!\p{L})(?:niemals|nie wieder|immer(?! noch| wieder| mehr)|ab (?:jetzt|sofort)|stets|auf keinen Fall|keinesfalls|achte darauf|bitte (?:nicht|keine?n?))(?!\p{L})/u,
    /(?<!\p{L})(?:ne \p{L}+ jamais|jamais|toujours|désormais|à partir de maintenant|dorénavant)(?!\p{L})/u,
    /(?<!\p{L})(?:nunca|jamás|siempre|de ahora en adelante|a partir de ahora|sempre|de agora em diante|a partir de agora)(?!\p{L})/u,
    /(?<!\p{L})(?:non \p{L}+ mai|d['’]ora in poi|nooit|altijd|vanaf nu)(?!\p{L})/u,
    /絶対に|必ず|常に|決して|ないでください|ないこと|今後は|禁止|不要|永远|总是|必须|务必|请勿|始终|从现在起|항상|절대|반드시|하지 마/u,
    /(?<!\p{L})(?:никогда|всегда|обязательно|отныне|с этого момента)(?!\p{L})/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'iu',
);
