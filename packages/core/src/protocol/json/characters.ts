/** The four characters that JSON allows between tokens. */
export const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

export const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

export const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

/** The value of a hexadecimal digit, or -1. */
export const hexDigit = (code: number): number => {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
};

/** What may follow a backslash alone. */
export const isSimpleEscape = (code: number) => {
  switch (code) {
    case 0x22: // "
    case 0x2f: // /
    case 0x5c: // backslash
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return true;
    default:
      return false;
  }
};

/** The literal that begins with this character. */
export const literalOf = (code: number): 'true' | 'false' | 'null' | undefined => {
  switch (code) {
    case 0x74: // t
      return 'true';
    case 0x66: // f
      return 'false';
    case 0x6e: // n
      return 'null';
    default:
      return undefined;
  }
};
