import type { Settings } from '@devs/core';

/** What the user may ask of devs itself, with the prefix key in front. */
export type KeyCommand = 'detach' | 'renew' | 'help' | 'redraw' | 'unknown';

/** In the order in which the user typed them. */
type KeyPart =
  | { readonly kind: 'input'; readonly bytes: Buffer }
  /** The prefix was pressed; the next key is for devs. */
  | { readonly kind: 'prefix' }
  | { readonly kind: 'command'; readonly command: KeyCommand };

export interface KeyFilter {
  push(bytes: Uint8Array): readonly KeyPart[];
}

const COMMANDS: Readonly<Record<string, KeyCommand>> = { d: 'detach', r: 'renew', '?': 'help', l: 'redraw' };

const PASTE_BEGIN = '\u001b[200~';
const PASTE_END = '\u001b[201~';

/**
 * Finds the prefix key in the user's input, also if the agent has asked for keys in kitty's or xterm's longer form.
 * Pasted text passes through, and so does every key without the prefix; the prefix twice sends it once.
 */
export function createKeyFilter(prefix: PrefixKey | undefined): KeyFilter {
  let isPending = false;
  let isPasting = false;

  return {
    push(given) {
      const bytes = Buffer.from(given);
      if (prefix === undefined) return [{ kind: 'input', bytes }];
      const text = bytes.toString('latin1');
      const parts: KeyPart[] = [];
      let input = '';
      const flush = () => {
        if (input !== '') parts.push({ kind: 'input', bytes: Buffer.from(input, 'latin1') });
        input = '';
      };
      for (const key of keysIn(text)) {
        if (key === PASTE_BEGIN) isPasting = true;
        if (key === PASTE_END) isPasting = false;
        const pressed = isPasting ? undefined : readKey(key);
        const isPrefix = pressed?.code === prefix.code && pressed.isCtrl;
        if (!isPending && isPrefix) {
          if (pressed.isRelease) continue; // its press was ours too
          flush();
          isPending = true;
          parts.push({ kind: 'prefix' });
        } else if (isPending && pressed === undefined)
          input += key; // the mouse, or an answer of the terminal
        else if (isPending && pressed?.isRelease === false && !pressed.isModifier) {
          isPending = false;
          if (isPrefix) input += key;
          else parts.push({ kind: 'command', command: COMMANDS[String.fromCodePoint(pressed.code)] ?? 'unknown' });
        } else if (!isPending) input += key;
      }
      flush();
      return parts;
    },
  };
}

export interface PrefixKey {
  /** Of the key that is pressed together with Ctrl. */
  readonly code: number;
  /** For people: `Ctrl-]`. */
  readonly label: string;
}

/** Of a setting such as `ctrl-b`; `undefined` for `none`: every key is the agent's. */
export function prefixKeyOf({ terminals: { prefixKey } }: Pick<Settings, 'terminals'>): PrefixKey | undefined {
  const key = prefixKey.toLowerCase().split('ctrl-')[1];
  return key === undefined ? undefined : { code: key.charCodeAt(0), label: `Ctrl-${key.toUpperCase()}` };
}

interface Pressed {
  readonly code: number;
  readonly isCtrl: boolean;
  readonly isRelease: boolean;
  /** Shift alone, say: kitty reports that too. */
  readonly isModifier: boolean;
}

/** A key, or `undefined` for what is none that could be meant: arrows, the mouse, answers of the terminal. */
function readKey(key: string): Pressed | undefined {
  const plain = { isRelease: false, isModifier: false };
  if (key >= '\u0080') return { code: REPLACEMENT, isCtrl: false, ...plain }; // a letter of several bytes
  if (key.length === 1) {
    const byte = key.charCodeAt(0);
    if (byte >= 0x20) return { code: byte, isCtrl: false, ...plain };
    const code = byte >= 1 && byte <= 26 ? byte + 0x60 : byte + 0x40; // as Ctrl makes them
    return { code, isCtrl: true, ...plain };
  }
  const [, kitty, modifiers = '1', event = '1'] = KITTY.exec(key) ?? [];
  if (kitty !== undefined) {
    const code = Number(kitty);
    const isCtrl = ((Number(modifiers) - 1) & 4) !== 0;
    return { code: shifted(code, Number(modifiers)), isCtrl, isRelease: event === '3', isModifier: code >= 57_358 };
  }
  const [, xtermModifiers = '1', xterm] = XTERM.exec(key) ?? [];
  if (xterm === undefined) return undefined;
  return { code: Number(xterm), isCtrl: ((Number(xtermModifiers) - 1) & 4) !== 0, ...plain };
}

const REPLACEMENT = 0xfffd;

/** `?` is Shift and `/` on most keyboards, and kitty says so. */
const shifted = (code: number, modifiers: number) => (code === 0x2f && ((modifiers - 1) & 1) !== 0 ? 0x3f : code);

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: keys are control sequences
const KITTY = /^\u001b\[(\d+)(?::[\d:]*)?(?:;(\d+)(?::(\d))?)?(?:;[\d:]*)?u$/;
const XTERM = /^\u001b\[27;(\d+);(\d+)~$/;
const KEY =
  /\u001b\[[\d;:<=>?]*[ -/]*[@-~]|\u001bO[ -~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[\u00c0-\u00ff][\u0080-\u00bf]*|[\s\S]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: keys are control sequences

const keysIn = (text: string): readonly string[] => text.match(KEY) ?? [];
