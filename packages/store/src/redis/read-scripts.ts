import { COUNTERS } from './counters.js';
import { defineScript } from './redis-script.js';

/**
 * Each answer of these scripts is a consistent view of one moment. Records come as pairs: JSON and end of lease (or
 * '').
 */
const RECORDS = `
local p = KEYS[1]
local function records(ids)
  local found = {}
  for _, id in ipairs(ids) do
    local record = redis.call('HGET', p .. 'tasks', id)
    if record then
      found[#found + 1] = record
      found[#found + 1] = redis.call('ZSCORE', p .. 'leases', id) or ''
    end
  end
  return found
end
`;

/** ARGV: ids */
export const tasksByIdScript = defineScript(`${RECORDS}
return records(ARGV)
`);

/** ARGV: limit */
export const claimableScript = defineScript(`${RECORDS}
local ids = {}
for i, member in ipairs(redis.call('ZRANGE', p .. 'ready', 0, ARGV[1] - 1)) do
  ids[i] = string.sub(member, string.find(member, ':', 1, true) + 1)
end
return records(ids)
`);

/** ARGV: now, limit */
export const expiredScript = defineScript(`${RECORDS}
return records(redis.call('ZRANGEBYSCORE', p .. 'leases', '-inf', ARGV[1], 'LIMIT', 0, ARGV[2]))
`);

/** ARGV: id. In the order in which they were added. */
export const dependentsScript = defineScript(`${RECORDS}
local ids, order = redis.call('SMEMBERS', p .. 'dependents:' .. ARGV[1]), {}
for _, id in ipairs(ids) do order[id] = tonumber(redis.call('ZSCORE', p .. 'order', id) or '0') end
table.sort(ids, function(a, b) return order[a] < order[b] end)
return records(ids)
`);

/** ARGV: offset, limit, names of the indexes to merge (`order`, or one for each status). Answers total and records. */
export const listScript = defineScript(`${RECORDS}
local offset, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local total, merged = 0, {}
for i = 3, #ARGV do
  local index = p .. ARGV[i]
  total = total + redis.call('ZCARD', index)
  local entries = limit > 0 and redis.call('ZRANGE', index, 0, offset + limit - 1, 'WITHSCORES') or {}
  for e = 1, #entries, 2 do merged[#merged + 1] = {entries[e], tonumber(entries[e + 1])} end
end
if #ARGV > 3 then table.sort(merged, function(a, b) return a[2] < b[2] end) end
local ids = {}
for i = offset + 1, math.min(offset + limit, #merged) do ids[#ids + 1] = merged[i][1] end
return {total, records(ids)}
`);

/** ARGV: last number in the order of adding, limit. Answers the last number (or '') and records. */
export const nextInOrderScript = defineScript(`${RECORDS}
local entries = redis.call('ZRANGEBYSCORE', p .. 'order', '(' .. ARGV[1], '+inf', 'WITHSCORES', 'LIMIT', 0, ARGV[2])
local ids = {}
for e = 1, #entries, 2 do ids[#ids + 1] = entries[e] end
return {entries[#entries] or '', records(ids)}
`);

/** ARGV: stream, last id, limit. Answers entries of the log. */
export const readStreamScript = defineScript(`
local p = KEYS[1]
local found = {}
for _, entry in ipairs(redis.call('XRANGE', p .. 'stream:' .. ARGV[1], '(' .. ARGV[2], '+', 'COUNT', ARGV[3])) do
  found[#found + 1] = redis.call('XRANGE', p .. 'log', entry[1], entry[1])[1]
end
return found
`);

/** ARGV: name. Answers the lease as JSON, or nothing. */
export const loadLeaseScript = defineScript(`
return redis.call('HGET', KEYS[1] .. 'lease:' .. ARGV[1], 'record')
`);

/** ARGV: name. */
export const streamVersionScript = defineScript(`${COUNTERS}
return versionOf(KEYS[1], ARGV[1])
`);

/** Without what any event holds. */
export const lastPositionScript = defineScript(`${COUNTERS}
return lastPosition(KEYS[1])
`);
