import type { ApiFormat } from '../api-format.js';
import { parseResponses } from './parse-responses.js';
import { responsesError, streamFailure, streamResponses, wholeResponses } from './stream-responses.js';

/** The Responses API of OpenAI: Codex. */
export const responses: ApiFormat = {
  paths: ['/v1/responses'],
  parse: parseResponses,
  stream: streamResponses,
  whole: wholeResponses,
  error: responsesError,
  streamOverflow: streamFailure,
};
