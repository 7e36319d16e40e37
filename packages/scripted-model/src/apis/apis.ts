import { anthropic } from './anthropic/anthropic.js';
import type { ApiFormat } from './api-format.js';
import { chat } from './chat/chat.js';
import { gemini } from './gemini/gemini.js';
import { responses } from './responses/responses.js';

const APIS: readonly ApiFormat[] = [anthropic, responses, chat, gemini];

/** All paths are known with and without the version, for clients whose base URL has it already. */
export const apiAt = (path: string): ApiFormat | undefined =>
  APIS.find(({ paths }) =>
    paths.some((known) => (typeof known === 'string' ? path === known || `/v1${path}` === known : known.test(path))),
  );
