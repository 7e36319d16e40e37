import { describe, expect, it } from 'vitest';
import { describeAddress, parseRedisUrl } from '../parse-redis-url.js';

describe('the address of a Redis', () => {
  it('has defaults for all but the host', () => {
    const expected = { host: 'example.org', port: 6379, isTls: false, db: 0, keyPrefix: '{devs}:' };
    expect(parseRedisUrl('redis://example.org')).toEqual(expected);
  });

  it('may have TLS, a user, a password, a port, a database and a prefix', () => {
    expect(parseRedisUrl('rediss://anna:p%40ss%2Fw@[::1]:7000/3?prefix=team-a:')).toEqual({
      host: '::1',
      port: 7000,
      isTls: true,
      username: 'anna',
      password: 'p@ss/w',
      db: 3,
      keyPrefix: '{team-a}:',
    });
  });

  it('is shown without user and password', () => {
    expect(describeAddress(parseRedisUrl('rediss://anna:secret@[::1]:7000/3'))).toBe('rediss://[::1]:7000/3');
  });

  it.each([
    'http://example.org',
    'redis://:hush-hush@host:port',
    'redis://:hush-hush@host/name',
    'redis://:hush-hush@host?prefx=x',
    'redis://:hush-hush%@host',
    'redis://:hush-hush@host?prefix={x}',
    'hush-hush',
  ])('is rejected when invalid, with a message that explains the format and hides the password: %s', (url) => {
    expect(() => parseRedisUrl(url)).toThrow(
      expect.objectContaining({ code: 'STORE_INPUT_INVALID', message: expect.not.stringContaining('hush') }),
    );
  });
});
