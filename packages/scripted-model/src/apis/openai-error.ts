import type { JsonObject } from '@devs/core';
import type { ModelError } from '../reply/reply.js';

interface Usual {
  readonly type: string;
  readonly code: string | null;
  readonly message: string;
}

const USUAL: Readonly<Record<number, Usual>> = {
  400: { type: 'invalid_request_error', code: null, message: 'The request is not valid.' },
  401: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided.' },
  403: { type: 'invalid_request_error', code: null, message: 'You are not allowed to use this model.' },
  404: { type: 'invalid_request_error', code: 'model_not_found', message: 'The model does not exist.' },
  429: { type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again later.' },
  500: {
    type: 'server_error',
    code: 'server_error',
    message: 'The server had an error while processing your request.',
  },
  503: { type: 'server_error', code: 'server_is_overloaded', message: 'Our servers are currently overloaded.' },
};

const UNUSUAL: Usual = { type: 'server_error', code: 'server_error', message: 'Something went wrong.' };

/** The error as both APIs of OpenAI tell it. */
export function openAiError(error: ModelError, tooLong: string): JsonObject {
  const usual = USUAL[error.status] ?? UNUSUAL;
  const isTooLong = error.overflow !== undefined;
  return {
    message: error.message ?? (isTooLong ? tooLong : usual.message),
    type: error.type ?? usual.type,
    param: isTooLong ? 'messages' : null,
    code: error.code ?? (isTooLong ? 'context_length_exceeded' : usual.code),
  };
}
