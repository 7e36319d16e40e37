// What the terminal host costs: throughput from a terminal to who watches it next to bare node-pty, the screen model's next to
// bare xterm, memory and idle CPU of many terminals next to tmux, and how long a renewal takes from the mark to the new agent's
// first prompt.
import { compareHolding } from './lib/terminal-holding.js';
import { compareRenewals } from './lib/terminal-renewals.js';
import { compareThroughput } from './lib/terminal-throughput.js';

console.log('\nthroughput, and the median of the ratios to the peer in the same round\n');
await compareThroughput();
await compareHolding();
await compareRenewals();
