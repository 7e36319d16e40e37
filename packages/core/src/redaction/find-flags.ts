import { assignedKind } from './assigned-kind.js';
import { judgeKey } from './credential-key.js';
import { isPassphrase } from './is-passphrase.js';
import { matchAt } from './match-at.js';
import type { SecretSpan } from './secret-span.js';

const FLAG = /--([A-Za-z][\w-]{1,40})[ \t]{1,4}(?:(["'])([^"'\n]{1,512})\2|([^\s"'`;|&()<>-][^\s"'`;|&()<>]{0,512}))/y;

/** Secrets behind flags of a command line: `--password hunter2`. With `=` they are assignments. */
export function findFlags(text: string): SecretSpan[] {
  const found: SecretSpan[] = [];
  for (let at = text.indexOf('--'); at !== -1; at = text.indexOf('--', at)) {
    const match = matchAt(FLAG, text, at);
    if (match === undefined) {
      while (text[at] === '-') at++;
      continue;
    }
    const [whole, name = '', quote = '', quoted, bare = ''] = match;
    const value = quoted ?? bare;
    const end = at + whole.length - quote.length;
    const kind = assignedKind(judgeKey(name), value, { isBare: quoted === undefined && !isPassphrase(value) });
    if (kind !== undefined) found.push({ start: end - value.length, end, kind });
    at = kind === undefined ? at + 2 : end;
  }
  return found;
}
