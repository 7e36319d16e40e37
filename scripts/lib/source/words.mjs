import { testTitles } from './citations.mjs';
import { comments, syntaxNodes } from './syntax-tree.mjs';

/**
 * Words that made texts hard to read, with what to write instead. A word joins the list once its last use is gone.
 *
 * @type {readonly { readonly pattern: string, readonly instead: string }[]}
 */
const AVOIDED = [
  { pattern: 'ones? that', instead: 'the noun' },
  { pattern: 'of (?:which|whom)', instead: 'a second sentence' },
  { pattern: '(?:who|what|which)ever', instead: 'the noun, or any' },
  { pattern: '(?:some|no)body', instead: 'the noun: a process, the user, no supervisor' },
  { pattern: '(?:what|that) is there', instead: 'existing, or current' },
  { pattern: '(?:he|him|his|himself)', instead: 'they, for the user' },
  { pattern: '(?:go|goes|going|went|gone) on', instead: 'continue' },
  { pattern: 'look(?:s|ed|ing)? after', instead: 'supervise' },
  { pattern: 'shall', instead: 'should, or the imperative' },
  { pattern: 'call(?:s|ed)? off', instead: 'stop, or cancel' },
  { pattern: 'the latter', instead: 'the noun' },
];

/** The one expression that counts avoided words. */
const AVOIDED_WORDS = new RegExp(`\\b(?:${AVOIDED.map(({ pattern }) => pattern).join('|')})\\b`, 'gi');

/**
 * The avoided words in a text. Code in backticks and quoted text do not count: they name or cite something.
 *
 * @param {string} text
 * @returns {string[]}
 */
export const findAvoidedWords = (text) =>
  [...withoutQuotes(text).replace(/\s+/g, ' ').matchAll(AVOIDED_WORDS)].map(([word]) => word.toLowerCase());

/**
 * @param {string} path
 * @returns {(word: string) => string}
 */
const inFile = (path) => (word) => {
  const rule = AVOIDED.find(({ pattern }) => new RegExp(`^(?:${pattern})$`).test(word));
  return `${path}: "${word}", write ${rule?.instead}`;
};

/** They hold the words of others: promised texts, prompts that other programs write, words of a language. */
const OTHERS_WORDS =
  /^packages\/(?:scripted-model|drivers|dashboard|server)\/|\/(?:requirements|is-passphrase|purpose-of)\.(?:ts|mjs)$|\/(?:__tests__|testing|fixtures|trials)\//;

/**
 * The texts of a program that are more than a word: messages, help and prompts.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
function messages(path, text) {
  if (!path.startsWith('packages/') || OTHERS_WORDS.test(path)) return [];
  return syntaxNodes(path, text).flatMap(({ node }) => {
    const value = node.type === 'TemplateElement' ? /** @type {{ cooked: string }} */ (node.value).cooked : node.value;
    const isText = node.type === 'TemplateElement' || node.type === 'Literal';
    return isText && typeof value === 'string' && /\w \w/.test(value) ? [value] : [];
  });
}

/**
 * The avoided words in the comments, messages and test titles of a source file.
 *
 * @param {{ path: string, text: string }} source
 * @returns {string[]} sentences
 */
export function avoidedInSource({ path, text }) {
  if (!mayHoldAvoided(text)) return [];
  const titles = /test\.tsx?$/.test(path) ? testTitles(path, text) : [];
  return [...comments(path, text), ...messages(path, text), ...titles].flatMap(findAvoidedWords).map(inFile(path));
}

/**
 * Spares the parser nearly all files.
 *
 * @param {string} text
 */
const mayHoldAvoided = (text) => text.replace(/\n\s*(?:\/\/|\*)?/g, ' ').search(AVOIDED_WORDS) >= 0;

/**
 * The avoided words in a page of documentation, without its blocks of code.
 *
 * @param {{ path: string, text: string }} page
 * @returns {string[]} sentences
 */
export const avoidedInPage = ({ path, text }) =>
  findAvoidedWords(text.replace(/^```[\s\S]*?^```/gm, '')).map(inFile(path));

/** @param {string} text */
const withoutQuotes = (text) => text.replace(/`[^`]*`|“[^”]*”|"[^"\n]*"/g, '');
