export type SpecKind = 'tas' | 'prd';

/** Where specs are looked for, from the top of the project. */
export const SPEC_FOLDERS: readonly string[] = ['', 'docs', 'doc', 'spec', 'specs', '.devs'];

/**
 * Recognises a spec by its file name: the technical architecture (TAS) or the product requirements (PRD). Ignores a
 * leading number, as in `3_TAS.md`. `SPEC.md` says what to build, so it counts as requirements.
 */
export function specKindOf(fileName: string): SpecKind | undefined {
  const [, name] = /^(?:\d+[-_. ])?(.+)\.(?:md|markdown)$/i.exec(fileName) ?? [];
  if (name === undefined) return undefined;
  const words = name.toLowerCase().replace(/[-_. ]+/g, '-');
  if (/^(?:tas|technical-architecture(?:-spec(?:ification)?)?)$/.test(words)) return 'tas';
  return /^(?:prd|product-requirements(?:-document)?|spec|specification|requirements)$/.test(words) ? 'prd' : undefined;
}
