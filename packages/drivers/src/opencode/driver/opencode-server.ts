import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { numberIn, parseObject, textIn } from '../../reading/json.js';

/** Where the HTTP server of one opencode process listens, and its password. */
export interface OpencodeServer {
  readonly port: number;
  readonly password: string;
}

/** A file of the launch: a supervisor that starts later finds the process by it. */
export const serverFile = (privateFolder: string): string => join(privateFolder, 'opencode-server.json');

export async function readServer(privateFolder: string): Promise<OpencodeServer | undefined> {
  const text = await readFile(serverFile(privateFolder), 'utf8').catch(() => undefined);
  const record = text === undefined ? undefined : parseObject(text);
  const [port, password] = [numberIn(record?.port), textIn(record?.password)];
  return port === undefined || password === undefined ? undefined : { port, password };
}
