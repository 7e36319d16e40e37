import { resolve } from 'node:path';

/** Where records are kept. */
export type StoreLocation =
  | { readonly kind: 'project' } // the file under `.devs/` of the project that the user stands in
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'redis'; readonly url: string };

export const ALLOWED_STORES = 'Give sqlite:FILE, redis://HOST:PORT or rediss://HOST:PORT (with TLS).';

/** `undefined` for what is none. */
export function parseStoreLocation(text: string): StoreLocation | undefined {
  const file = /^sqlite:(.+)$/s.exec(text)?.[1];
  if (file !== undefined) return file.includes('\0') ? undefined : { kind: 'sqlite', file: resolve(file) };
  const hasHost = /^rediss?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== '';
  return hasHost ? { kind: 'redis', url: text } : undefined;
}

/** For people; a password in a URL is not shown. */
export function describeStoreLocation(location: Exclude<StoreLocation, { kind: 'project' }>): string {
  if (location.kind === 'sqlite') return location.file;
  const url = new URL(location.url);
  if (url.password !== '') url.password = '***';
  return url.href;
}
