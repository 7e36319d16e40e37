// What the API of the supervisor costs: a request next to a bare Hono handler, one terminal with 200 viewers next to bare `ws`, the
// memory of 100 terminals, and `devs ls` next to the start of node.
import { compareBroadcast } from './lib/api-broadcast.js';
import { compareCommand } from './lib/api-command.js';
import { measureMemory } from './lib/api-memory.js';
import { measureProcesses } from './lib/api-processes.js';
import { compareRequests } from './lib/api-requests.js';
import { openApiWorld } from './lib/api-world.js';

console.log('\na request over a Unix socket, on a connection that is kept\n');
const world = await openApiWorld();
await compareRequests(world);
await world.close();

console.log('\none terminal, 200 viewers in another process\n');
await compareBroadcast();

console.log('\nmemory\n');
await measureMemory();
await measureProcesses();

console.log('\na command\n');
compareCommand();
process.exit();
