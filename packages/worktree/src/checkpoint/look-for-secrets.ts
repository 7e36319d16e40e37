import { basename } from 'node:path';
import { holdsKnownSecret, secretsIn } from '@devs/core';

export interface FoundSecrets {
  /** As they stand in the text. */
  readonly secrets: readonly string[];
  /** A binary file with a secret of a known form. */
  readonly isBinarySecret: boolean;
}

/** Binary files contain random bytes: only secrets with a known prefix count there. Pure. */
export function lookForSecrets(content: Buffer): FoundSecrets {
  const isUtf16 = content.subarray(0, 2).equals(UTF_16);
  if (isUtf16 || !content.subarray(0, BINARY_WITHIN).includes(0))
    return { secrets: secretsIn(content.toString(isUtf16 ? 'utf16le' : 'utf8')), isBinarySecret: false };
  return { secrets: [], isBinarySecret: holdsKnownSecret(content.toString('latin1')) };
}

const UTF_16 = Buffer.from([0xff, 0xfe]);
/** Where git looks for a zero. */
const BINARY_WITHIN = 8_000;

/** Whether a file of this name exists to hold secrets. Pure. */
export const isSecretByName = (path: string): boolean =>
  SECRET_NAMES.test(basename(path)) && !HARMLESS_NAMES.test(basename(path));

const SECRET_NAMES =
  /^(?:\.env(?:\..+)?|.+\.env|\.netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|credentials(?:\.json)?|secrets?\.(?:json|ya?ml|toml)|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx))$/i;
const HARMLESS_NAMES = /\.(?:example|sample|template|dist)$/i;
