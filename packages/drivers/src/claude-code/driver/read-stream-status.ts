import type { WatchRequest } from '@devs/core';
import { builtinStatusFolder } from '../../builtin/builtin-places.js';
import type { BuiltinStatus } from '../../builtin/builtin-record.js';
import { readBuiltinStatus } from '../../builtin/driver/builtin-probe.js';
import type { Said } from '../../driving/signal-reader.js';
import { streamUser } from './stream-places.js';

export interface StreamStatus extends Pick<BuiltinStatus, 'conversation' | 'path'> {
  readonly said: Said;
  readonly background: { readonly subAgents: number; readonly shells: number };
}

/** What the program that holds a Claude Code says of itself, while it runs. */
export async function readStreamStatus(request: WatchRequest): Promise<StreamStatus | undefined> {
  const folder = builtinStatusFolder(streamUser(request));
  const status = await readBuiltinStatus(`${folder}/${request.pid}.json`, request.startedAt);
  if (status === undefined) return undefined;
  const { conversation, path, says, detail, background = { subAgents: 0, shells: 0 } } = status;
  return { conversation, path, said: { says, detail }, background };
}
