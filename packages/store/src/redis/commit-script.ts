import { COUNTERS } from './counters.js';
import { defineScript } from './redis-script.js';
import { TIGHTEN } from './tighten.js';

const MAX_LOOKED_BACK = 10_000;

/**
 * Stores commits one after another, each whole or not at all. Keys, behind the prefix:
 *
 * - `id`: the store's own id, which every script that writes looks at first
 * - `log`: all events, a Redis stream whose ids are `<position>-0`; its length and what was
 *   removed are the last position
 * - `stream:<name>`: the positions of one stream's events, as ids; its length and what was removed are the stream's version. The first entry of
 *   a commit holds its id: a commit may be sent again while its answer is not known, and is then found there
 * - `commits:<day>`: the positions after the commits of that day that have no events, by commit id, for at least one more
 * - `tasks`: the records by id, without the end of their lease · `order`: ids by order of adding · `added`: the last number
 * - `status:<status>`: ids by order of adding · `ready`: what can be claimed, by priority and order
 * - `leases`: ids in progress by end of lease · `fences`: their fences · `dependents:<id>`: who depends on it
 * - `trimmed`: how many events were removed of the log and of each stream
 * - `lease:<name>`: a named lease · `snapshot:<name>`: a snapshot; both have scripts of their own
 *
 * Nothing of a commit is written before all of it was checked. A server that is out of memory or a replica refuses the
 * first write: a script that has begun to write is not stopped.
 */
export const commitScript = defineScript(`${COUNTERS}${TIGHTEN}
local p = KEYS[1]
local call = redis.call
local log = p .. 'log'
local keepSeconds = ARGV[1]
local at = 2
local function take() at = at + 1; return ARGV[at] end

local function storeTask(id, before, after)
  local priority, isReady, fence, lease, isSameClaim, record = take(), take(), take(), take(), take(), take()
  local order = call('ZSCORE', p .. 'order', id)
  if not order then
    order = call('INCR', p .. 'added')
    call('ZADD', p .. 'order', order, id)
  end
  local readyMember = string.format('%015.0f', tonumber(order)) .. ':' .. id

  if before ~= '' and before ~= after then call('ZREM', p .. 'status:' .. before, id) end
  if isReady == '' then call('ZREM', p .. 'ready', readyMember)
  else call('ZADD', p .. 'ready', -tonumber(priority), readyMember) end
  if lease == '' then
    call('ZREM', p .. 'leases', id)
    call('HDEL', p .. 'fences', id)
  else
    -- a heartbeat that came after the decision counts
    if isSameClaim == '' then call('ZADD', p .. 'leases', lease, id)
    else call('ZADD', p .. 'leases', 'GT', lease, id) end
    call('HSET', p .. 'fences', id, fence)
  end

  if after == '' then
    call('HDEL', p .. 'tasks', id)
    call('ZREM', p .. 'order', id)
  else
    call('ZADD', p .. 'status:' .. after, order, id)
    call('HSET', p .. 'tasks', id, record)
  end
  for _ = 1, tonumber(take()) do call('SREM', p .. 'dependents:' .. take(), id) end
  for _ = 1, tonumber(take()) do call('SADD', p .. 'dependents:' .. take(), id) end
end

-- Where a commit that was stored before has ended, if it was: its first event is the one behind the expected version.
-- Who comes so late that thousands of events lie in between gets a conflict.
local function endOfStored(stream, commitId, total)
  local behind = stream.version - stream.expected
  if behind < 1 or behind > ${MAX_LOOKED_BACK} then return nil end
  local entries = call('XREVRANGE', stream.key, '+', '-', 'COUNT', behind)
  local entry = entries[behind]
  if not entry then return nil end
  if entry[2][2] ~= commitId then return nil end
  return tonumber(string.match(entry[1], '^%d+')) + total - 1
end

local position = lastPosition(p)
local function storeCommit()
  local commitId, seen = take(), p .. 'commits:' .. take()
  local leaseId, leaseUntil = take(), take()
  local streams, marked, total = {}, nil, 0
  local conflict
  for s = 1, tonumber(take()) do
    local name, expected, first = take(), tonumber(take()), at + 2
    local count = tonumber(take())
    at = at + count
    local key = p .. 'stream:' .. name
    local version = versionOf(p, name)
    streams[s] = {key = key, first = first, last = first + count - 1, version = version, expected = expected}
    total = total + count
    if count > 0 then marked = marked or streams[s] end
    if version ~= expected and not conflict then conflict = {0, name, version} end
  end
  if leaseId ~= '' and not conflict then
    local name = 'task:' .. leaseId
    local ends = call('ZSCORE', p .. 'leases', leaseId)
    if not ends or tonumber(ends) ~= tonumber(leaseUntil) then
      conflict = {0, name, versionOf(p, name)}
    end
  end
  local stored
  if total == 0 then stored = call('HGET', seen, commitId)
  elseif conflict then stored = endOfStored(marked, commitId, total) end
  if stored then return {1, tonumber(stored)} end
  if conflict then return conflict end

  local mark = commitId
  for _, stream in ipairs(streams) do
    for e = stream.first, stream.last do
      position = position + 1
      local id = position .. '-0' -- Lua writes up to 14 digits as they are
      call('XADD', log, id, 'event', ARGV[e])
      call('XADD', stream.key, id, '', mark)
      mark = ''
    end
    tighten(stream.key, stream.version, stream.version + stream.last - stream.first + 1)
  end
  if total == 0 then
    call('HSET', seen, commitId, position)
    call('EXPIRE', seen, keepSeconds, 'NX')
  end
  for _ = 1, tonumber(take()) do storeTask(take(), take(), take()) end
  return {1, position}
end

local results = {}
for c = 1, tonumber(ARGV[2]) do
  local following = at + 1
  at = at + 1
  following = following + tonumber(ARGV[at]) + 1
  results[c] = storeCommit()
  at = following - 1 -- a refused commit has not taken all that is its own
end
return results
`);
