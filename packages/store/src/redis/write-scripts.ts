import { defineScript } from './redis-script.js';

/** ARGV: id, fence, until. A task has a fence here only while it is in progress. */
export const renewLeaseScript = defineScript(`
local p = KEYS[1]
if redis.call('HGET', p .. 'fences', ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('ZADD', p .. 'leases', 'XX', ARGV[3], ARGV[1])
return 1
`);

/** ARGV: name, expected revision (or ''), the revision of what takes its place, and that as JSON. In `lease:<name>`. */
export const swapLeaseScript = defineScript(`
local key = KEYS[1] .. 'lease:' .. ARGV[1]
local revision = redis.call('HGET', key, 'revision') or ''
if revision == ARGV[3] then return 1 end -- sent again, because the answer was lost
if revision ~= ARGV[2] then return 0 end
redis.call('HSET', key, 'revision', ARGV[3], 'record', ARGV[4])
return 1
`);

/** ARGV: name, position, state */
export const saveSnapshotScript = defineScript(`
local key = KEYS[1] .. 'snapshot:' .. ARGV[1]
local position = redis.call('HGET', key, 'position')
if position and tonumber(position) >= tonumber(ARGV[2]) then return 0 end
redis.call('HSET', key, 'position', ARGV[2], 'state', ARGV[3])
return 1
`);
