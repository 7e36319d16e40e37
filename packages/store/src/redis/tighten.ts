/** As the server fills the nodes of a stream by default. */
const ENTRIES_PER_NODE = 100;
/** In a long stream the room of one node is no matter. */
const MAX_ENTRIES = 1_000;

/**
 * Lua: the server sets aside 4 KB for each new node of a stream, which is most of what a short one takes. A copy is as large as its
 * entries. Where the server does not allow copies, nothing is lost but room.
 */
export const TIGHTEN = `
local function tighten(key, before, after)
  local node = function(count) return math.ceil(count / ${ENTRIES_PER_NODE}) end
  if after > ${MAX_ENTRIES} or node(before) == node(after) then return end
  local copy = redis.pcall('DUMP', key)
  if type(copy) == 'string' then redis.pcall('RESTORE', key, 0, copy, 'REPLACE') end
end
`;
