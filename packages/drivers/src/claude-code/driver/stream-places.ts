import { join } from 'node:path';
import { builtinHome, builtinStatusFolder } from '../../builtin/builtin-places.js';
import type { UserDirs } from '../../reading/transcript-source.js';

/** The program that holds a Claude Code by stream-json leaves a status like the built-in agent, in a folder of its own. */
export const streamUser = <Place extends UserDirs>(place: Place): Place => ({
  ...place,
  env: { ...place.env, DEVS_AGENT_HOME: `${builtinHome(place)}-claude` },
});

/** What that program writes down beside the agent's own transcript: one file for each process. */
export const streamRecords = (user: UserDirs, pid: number): string =>
  join(builtinStatusFolder(streamUser(user)), `${pid}.jsonl`);
