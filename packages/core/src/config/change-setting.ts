import { type Document, isMap, isScalar, parseDocument } from 'yaml';
import { readSettingText } from './read-setting-text.js';
import type { SettingsProblem } from './read-settings.js';
import { isSettingValues, type SettingLeaf, type SettingValues } from './setting-values.js';

/** One key and its new value; without a value the key is removed, and what counts below the file counts again. */
export interface SettingChange {
  /** Such as `pressure.soft.share`. */
  readonly key: string;
  readonly value?: SettingLeaf | undefined;
}

export type ChangedSettings =
  | { readonly kind: 'changed'; readonly text: string }
  | { readonly kind: 'problems'; readonly problems: readonly Omit<SettingsProblem, 'where'>[] };

/**
 * The text of a configuration file with one key changed: comments and all other values stay. Pure.
 *
 * Refuses a text with mistakes, a value that does not fit, and a file in which the change would change another key too.
 * The user's agreement is by content: where the text before was agreed to, the caller agrees to the new one as well.
 */
export function changeSetting(text: string, change: SettingChange): ChangedSettings {
  const before = readSettingText(text);
  if (before.problems.length > 0) return { kind: 'problems', problems: before.problems };
  const changed = write(text, change);
  if (changed === undefined) return refused(change);
  const after = readSettingText(changed);
  if (after.problems.length > 0) return { kind: 'problems', problems: after.problems };
  return isSame(after.values, withChange(before.values, change)) ? { kind: 'changed', text: changed } : refused(change);
}

const refused = ({ key }: SettingChange): ChangedSettings => ({
  kind: 'problems',
  problems: [{ message: `${key} cannot be changed by itself in this file`, hint: 'change it with an editor' }],
});

/** `undefined` where the file is written in a way that hides the key, such as an alias. */
function write(text: string, { key, value }: SettingChange): string | undefined {
  const path = key.split('.');
  const document = parseDocument(text);
  if (!isMap(document.contents))
    return value === undefined ? text : `${text.trimEnd()}\n${render(path, value)}`.trimStart();
  try {
    if (value === undefined) remove(document, path);
    else set(document, path, value);
  } catch {
    return undefined; // the library cannot look through an alias
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

const render = (path: readonly string[], value: SettingLeaf): string =>
  `${path.map((name, depth) => `${'  '.repeat(depth)}${name}:`).join('\n')} ${JSON.stringify(value)}\n`;

function set(document: Document, path: readonly string[], value: SettingLeaf): void {
  for (let length = 1; length < path.length; length++) {
    const parent = path.slice(0, length);
    const node = document.getIn(parent, true);
    if (node === undefined || (isScalar(node) && node.value === null)) document.setIn(parent, document.createNode({}));
  }
  document.setIn(path, typeof value === 'object' ? document.createNode(value, { flow: true }) : value);
}

/** Mappings that become empty go too. */
function remove(document: Document, path: readonly string[]): void {
  if (!document.deleteIn(path)) return;
  for (let length = path.length - 1; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length));
    if (!isMap(parent) || parent.items.length > 0) return;
    document.deleteIn(path.slice(0, length));
  }
}

function withChange(values: SettingValues, { key, value }: SettingChange): SettingValues {
  const [name = '', ...rest] = key.split('.');
  const inner = values[name];
  const { [name]: _, ...others } = values;
  if (rest.length === 0) return value === undefined ? others : { ...others, [name]: value };
  return {
    ...others,
    [name]: withChange(isSettingValues(inner) ? inner : {}, { key: rest.join('.'), value }),
  };
}

/** The order of keys means nothing, and neither does an empty mapping. */
const isSame = (one: SettingValues, other: SettingValues): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

function sorted(values: SettingValues): SettingValues {
  const entries = Object.entries(values)
    .map(([name, value]) => [name, isSettingValues(value) ? sorted(value) : value] as const)
    .filter(([, value]) => !isSettingValues(value) || Object.keys(value).length > 0)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries);
}
