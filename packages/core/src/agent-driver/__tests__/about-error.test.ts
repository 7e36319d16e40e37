import { describe, expect, it } from 'vitest';
import { aboutError, kindOfError } from '../about-error.js';

describe('an error of an agent', () => {
  it.each([
    ['API Error: 401 {"type":"authentication_error","message":"invalid x-api-key"}', 'login'],
    ['Please run /login · API Error: 403', 'login'],
    ['Credit balance is too low', 'other'],
    ['429 RESOURCE_EXHAUSTED', 'quota'],
    ['unexpected status 404 Not Found: The model `gpt-9` does not exist', 'model'],
    ['Prompt is too long', 'overflow'],
    ['529 overloaded_error', 'overload'],
    ['Connection refused', 'overload'],
    ['The request was refused by our content policy', 'policy'],
    ['400 tools.0.name: something odd', 'other'],
  ] as const)('in the words %j is of the kind %s', (words, kind) => {
    expect(kindOfError(words)).toBe(kind);
  });

  it('comes with what the user can do, by its kind', () => {
    expect(aboutError({ kind: 'login', detail: '401 invalid x-api-key' })).toBe(
      "its turn ended with an error: 401 invalid x-api-key. Its provider did not accept the login. Log in again with the agent's own program, or set a valid key and start the run again. Your answer makes it try again.",
    );
    expect(aboutError({ kind: 'other', detail: 'Credit balance is too low' })).toContain('add credit');
    expect(aboutError({ kind: 'other', detail: 'something odd' })).toBe('its turn ended with an error: something odd');
  });
});
