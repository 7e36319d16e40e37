import { COUNTERS } from './counters.js';
import { defineScript } from './redis-script.js';

/** Lua hands over no more values at once than its stack holds. */
const REMOVED_AT_ONCE = 1_000;

/**
 * ARGV: number of streams, each as name and version, names of snapshots. Answers how many events were removed. The newest event
 * of the log stays, as with other backends.
 */
export const trimScript = defineScript(`${COUNTERS}
local p, call = KEYS[1], redis.call
local log, trimmed = p .. 'log', p .. 'trimmed'
local newest = call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
local removed = 0
local function trim(name, version)
  local key = p .. 'stream:' .. name
  local last = call('XREVRANGE', key, '+', '-', 'COUNT', 1)[1]
  if not last or last[1] == newest[1] or versionOf(p, name) ~= version then return end
  local count = 0
  while true do
    local ids = {}
    for i, entry in ipairs(call('XRANGE', key, '-', '+', 'COUNT', ${REMOVED_AT_ONCE})) do ids[i] = entry[1] end
    if #ids == 0 then break end
    call('XDEL', log, unpack(ids))
    call('XDEL', key, unpack(ids))
    count = count + #ids
  end
  call('DEL', key)
  call('HINCRBY', trimmed, name, count)
  call('HINCRBY', trimmed, 'log', count)
  removed = removed + count
end
local streams = tonumber(ARGV[1])
for s = 1, streams do trim(ARGV[2 * s], tonumber(ARGV[2 * s + 1])) end
for n = 2 * streams + 2, #ARGV do call('DEL', p .. 'snapshot:' .. ARGV[n]) end
return removed
`);

/**
 * The server keeps the room of a removed entry until all around it are removed, too. This copies the log without them, some
 * entries at a time, and the last call puts the copy in its place. What is removed meanwhile begins the copy anew.
 *
 * ARGV: entries at a time. Answers whether there are more to copy.
 */
export const compactScript = defineScript(`${COUNTERS}
local p, call = KEYS[1], redis.call
local log, copy, of = p .. 'log', p .. 'log-copy', p .. 'log-copy-of'
local removed = tostring(trimmedOf(p, 'log'))
if call('GET', of) ~= removed then
  call('DEL', copy)
  call('SET', of, removed)
end
local last = call('XREVRANGE', copy, '+', '-', 'COUNT', 1)[1]
local entries = call('XRANGE', log, last and '(' .. last[1] or '-', '+', 'COUNT', ARGV[1])
for _, entry in ipairs(entries) do call('XADD', copy, entry[1], unpack(entry[2])) end
if #entries == tonumber(ARGV[1]) then return 1 end
if call('EXISTS', copy) == 1 then call('RENAME', copy, log) end
call('DEL', of)
return 0
`);
