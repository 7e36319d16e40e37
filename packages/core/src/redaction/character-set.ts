/** A quick answer to whether a character is one of these, by its code. Beyond ASCII all are, or none is. */
export function characterSet(ascii: RegExp, { beyondAscii = false } = {}): (code: number) => boolean {
  const members = Uint8Array.from({ length: 128 }, (_, code) => Number(ascii.test(String.fromCharCode(code))));
  return (code) => (code < 128 ? members[code] === 1 : beyondAscii);
}
