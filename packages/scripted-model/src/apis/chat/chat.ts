import type { ApiFormat } from '../api-format.js';
import { parseChat } from './parse-chat.js';
import { chatError, streamChat, wholeChat } from './stream-chat.js';

/** Chat Completions, which most providers speak: opencode, pi. */
export const chat: ApiFormat = {
  paths: ['/v1/chat/completions'],
  parse: parseChat,
  stream: streamChat,
  whole: wholeChat,
  error: chatError,
};
