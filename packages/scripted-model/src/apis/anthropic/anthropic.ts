import type { ApiFormat } from '../api-format.js';
import { anthropicError } from './anthropic-error.js';
import { parseAnthropic } from './parse-anthropic.js';
import { streamAnthropic, wholeAnthropic } from './stream-anthropic.js';

/** The Messages API of Anthropic: Claude Code, the Agent SDK. */
export const anthropic: ApiFormat = {
  paths: ['/v1/messages'],
  parse: parseAnthropic,
  stream: streamAnthropic,
  whole: wholeAnthropic,
  error: anthropicError,
};
