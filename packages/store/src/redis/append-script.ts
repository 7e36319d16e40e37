import { defineScript } from './redis-script.js';

/**
 * What {@link commitScript} does for a commit of events of one stream and nothing else, which most are, in a fraction of the
 * time. Answers the position, or nothing where the stream is not at the expected version: that is looked at the long way.
 *
 * ARGV: stream, expected version, commit id, events
 */
export const appendScript = defineScript(`
local call = redis.call
local log, stream = KEYS[1] .. 'log', KEYS[1] .. 'stream:' .. ARGV[1]
if call('XLEN', stream) ~= tonumber(ARGV[2]) then return false end
local position, mark = call('XLEN', log), ARGV[3]
for e = 4, #ARGV do
  position = position + 1
  local id = position .. '-0'
  call('XADD', log, id, 'event', ARGV[e])
  call('XADD', stream, id, '', mark)
  mark = ''
end
return position
`);
