import { describe, expect, it } from 'vitest';
import { adviceForSystemError, refuseUnwritable } from '../system-error.js';

const error = (code: string, path?: string) => Object.assign(new Error(code), { code, path });

describe('an error of the system', () => {
  it.each([
    [error('ENOSPC'), /the disk is full\. Make room/],
    [error('EROFS', '/mnt/x'), /read-only \(\/mnt\/x\)/],
    [error('EACCES', '/root/x'), /permission denied/],
    [error('EMFILE'), /too many files are open/],
  ])('comes with advice: %s', (given, advice) => {
    expect(adviceForSystemError(given)).toMatch(advice);
  });

  it.each([error('ENOENT'), new Error('a mistake of ours'), 'text'])('is nothing else: %s', (given) => {
    expect(adviceForSystemError(given)).toBeUndefined();
  });

  it('is requested for the nearest existing folder', () => {
    const asked: unknown[] = [];
    const refuse = (path: unknown) => {
      asked.push(path);
      throw error('EROFS', String(path));
    };
    expect(() => refuseUnwritable('/none/of/this', refuse)).toThrow(
      'cannot write to /none/of/this: the folder is read-only (/)',
    );
    expect(asked).toEqual(['/']);
    expect(() => refuseUnwritable('/none', () => {})).not.toThrow();
  });
});
