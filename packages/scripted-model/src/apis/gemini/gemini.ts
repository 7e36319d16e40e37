import type { ApiFormat } from '../api-format.js';
import { geminiError, streamGemini, wholeGemini } from './answer-gemini.js';
import { parseGemini } from './parse-gemini.js';

/** The Gemini API: Gemini CLI. Model and manner are in the path. */
export const gemini: ApiFormat = {
  paths: [/^\/v1(?:beta)?\/models\/[^/:]+:(?:streamGenerateContent|generateContent)$/],
  parse: parseGemini,
  stream: streamGemini,
  whole: wholeGemini,
  error: geminiError,
};
