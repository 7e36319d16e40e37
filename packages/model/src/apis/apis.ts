import { anthropic } from './anthropic/anthropic.js';
import type { ApiFormat } from './api-format.js';
import { chat } from './chat/chat.js';
import { responses } from './responses/responses.js';

const APIS: readonly ApiFormat[] = [anthropic, responses, chat];

/** All paths are known with and without the version, for clients whose base URL has it already. */
export const apiAt = (path: string): ApiFormat | undefined =>
  APIS.find(({ paths }) => paths.some((known) => path === known || `/v1${path}` === known));
