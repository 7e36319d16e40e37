import { wordiness } from './wordiness.js';

/** What stands where a secret would: left out, to be filled in, taken from elsewhere, or a type. */
const PLACEHOLDERS = [
  /^(?:[*•.x#?_-]+|0+|1234567?8?9?0?)$/i,
  /^\[redacted/i,
  /(?:…|\.{3}|[*x]{4,})$/i,
  /^<.*>?$|^\[[A-Za-z _-]+\]$|^\{.*\}$/,
  /^\\?\$(?:[{(]|\d{1,2}$)|^\{\{|^%[A-Za-z_]\w*%$|^@[A-Z_]+@$|^#\{/,
  /^(?:process\.env|import\.meta|os\.(?:environ|getenv)|env[.[(:]|secrets?\.|vars?\.|self\.|this\.|config\.|options?\.|args?\.)/i,
  /^(?:null|undefined|none|nil|true|false|string|str|number|boolean|bool|object|buffer|bytes|optional|required|empty|any|unknown|never|void|\[?\]?byte|u?int\d*(?:_?array)?|uint8clampedarray|float\d\d(?:array)?|bigint|date|promise)[\]!?|[]*$/i,
  /^(?:your|my|put|enter|insert|replace|paste|(?:the|some|an?)[-_ ]).{0,24}?(?:pass(?:word|phrase)?|secret|token|key|here|credentials?)(?![A-Za-z0-9])/i,
  /^change[-_ ]?(?:me|it|this)/i,
  /^(?:placeholder|redacted|hidden|masked|removed|censored|example|sample|dummy|fake|todo|tbd|n\/a|xxx+)(?![A-Za-z0-9])/i,
  /^(?:password|passwd|pwd|passphrase|secret|token|apikey|api[-_]key|credentials?|authorization|bearer|basic|test|testing)$/i,
];

/** Whether a value that is assigned to a secret's name is obviously not the secret. */
export const isPlaceholder = (value: string): boolean =>
  PLACEHOLDERS.some((pattern) => pattern.test(value)) || isVariable(value);

/** `$DB_PASSWORD` and not `$kX9q…`, which is a password that begins with a dollar sign. */
const isVariable = (value: string) =>
  /^\\?\$[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(value) &&
  (/^\\?\$[A-Z0-9]+_[A-Z0-9_]+$/.test(value) || wordiness(value) > 0);
