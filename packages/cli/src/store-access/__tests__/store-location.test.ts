import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../cli-error.js';
import { describeStoreLocation, parseStoreLocation } from '../store-location.js';
import { chooseStore } from '../with-store.js';

describe('a store', () => {
  it.each([
    ['sqlite:a.db', { kind: 'sqlite', file: resolve('a.db') }],
    ['sqlite:/var/a b.db', { kind: 'sqlite', file: '/var/a b.db' }],
    ['redis://localhost', { kind: 'redis', url: 'redis://localhost' }],
    ['rediss://u:p@h:6380/2', { kind: 'redis', url: 'rediss://u:p@h:6380/2' }],
    ['sqlite:', undefined],
    ['a.db', undefined],
    ['redis:localhost', undefined],
    ['redis://', undefined],
    ['http://localhost', undefined],
    ['', undefined],
  ])('is read from %j', (text, location) => {
    expect(parseStoreLocation(text)).toEqual(location);
  });

  it('is described without its password', () => {
    const text = describeStoreLocation({ kind: 'redis', url: 'rediss://bo:hunter2@db.example:6380/2' });

    expect(text).toBe('rediss://bo:***@db.example:6380/2');
  });
});

describe('which store', () => {
  const asked = { kind: 'sqlite', file: '/a.db' } as const;

  it.each([
    { option: asked, setting: 'redis://b', chosen: asked },
    { option: undefined, setting: 'redis://b', chosen: { kind: 'redis', url: 'redis://b' } },
    { option: undefined, setting: '', chosen: { kind: 'project' } },
    { option: undefined, setting: undefined, chosen: { kind: 'project' } },
  ])('$option before $setting before the project', ({ option, setting, chosen }) => {
    expect(chooseStore(option === undefined ? {} : { store: option }, { storeSetting: setting })).toEqual(chosen);
  });

  it('is not guessed from a setting that names none', () => {
    expect(() => chooseStore({}, { storeSetting: 'state.db' })).toThrow(UsageError);
  });
});
