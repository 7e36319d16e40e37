/**
 * Lua: how many events of the log or a stream were removed is in the hash `trimmed`, by `log` or the stream's name. Position
 * and version count existing and removed entries.
 */
export const COUNTERS = `
local function trimmedOf(p, name) return tonumber(redis.call('HGET', p .. 'trimmed', name) or '0') end
local function versionOf(p, name) return redis.call('XLEN', p .. 'stream:' .. name) + trimmedOf(p, name) end
local function lastPosition(p) return redis.call('XLEN', p .. 'log') + trimmedOf(p, 'log') end
`;
