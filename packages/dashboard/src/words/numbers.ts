/** `842`, `12.4 k`, `1.2 M`. Pure. */
export function tokens(number: number): string {
  if (number < 1_000) return String(number);
  if (number < 1_000_000) return `${trimmed(number / 1_000)} k`;
  return `${trimmed(number / 1_000_000)} M`;
}

const trimmed = (number: number): string => (number >= 100 ? number.toFixed(0) : number.toFixed(1).replace(/\.0$/, ''));

/** `$0.42`; what is not known is not free. */
export const dollars = (usd: number | undefined): string => {
  if (usd === undefined) return 'not known';
  return usd > 0 && usd < 0.01 ? '< $0.01' : `$${usd.toFixed(2)}`;
};

/** A small share is not nothing. */
export const percent = (share: number): string =>
  share > 0 && share < 0.01 ? `${(share * 100).toFixed(2)} %` : `${Math.round(share * 100)} %`;

/** The last part of a path. */
export const baseName = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) || path;
