import { builtinHome } from '../builtin/builtin-places.js';
import type { UserDirs } from '../reading/transcript-source.js';

/** Agents that are reached by ACP leave the same files as the built-in one, in a folder of their own. */
export const acpUser = <Place extends UserDirs>(place: Place): Place => ({
  ...place,
  env: { ...place.env, DEVS_AGENT_HOME: `${builtinHome(place)}-acp` },
});
