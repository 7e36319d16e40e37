// What the terminal host costs: throughput from a terminal to who watches it next to bare node-pty, the screen model's next to
// bare xterm, and memory and idle CPU of many terminals next to tmux.
import { compareHolding } from './lib/terminal-holding.js';
import { compareThroughput } from './lib/terminal-throughput.js';

console.log('\nthroughput, and the median of the ratios to the peer in the same round\n');
await compareThroughput();
await compareHolding();
