import type { JsonObject } from '@devs/core';
import type { ModelError } from '../../reply/reply.js';
import type { Wire } from '../api-format.js';

const TYPES: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ['invalid_request_error', 'The request is not valid.'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'The requested resource could not be found.'],
  413: ['request_too_large', 'Request exceeds the maximum size'],
  429: ['rate_limit_error', "This request would exceed your account's rate limit. Please try again later."],
  500: ['api_error', 'Internal server error'],
  504: ['timeout_error', 'The request timed out.'],
  529: ['overloaded_error', 'Overloaded'],
};

export function anthropicError({ status, type, message, overflow }: ModelError, { newId }: Wire): JsonObject {
  const [usualType, usualMessage] = TYPES[status] ?? ['api_error', 'Something went wrong.'];
  const tooLong = overflow && `prompt is too long: ${overflow.tokens} tokens > ${overflow.window} maximum`;
  return {
    type: 'error',
    error: { type: type ?? usualType, message: message ?? tooLong ?? usualMessage },
    request_id: newId('req'),
  };
}
