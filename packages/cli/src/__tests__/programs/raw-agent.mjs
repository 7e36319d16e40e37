// An agent that takes its terminal over: it switches modes on, says which keys it gets and how large it is, and leaves all of it on
// when it ends. `q` ends it with code 7, Ctrl-D and SIGUSR2 with code 0. Its arguments are the first thing that it says.
process.stdin.setRawMode?.(true);
const say = (text) => process.stdout.write(`${text}\r\n`);
const size = () => say(`[size ${process.stdout.columns}x${process.stdout.rows}]`);
process.stdout.write('\u001b[?1049h\u001b[?1002h\u001b[?1006h\u001b[?2004h\u001b[>1u\u001b]0;raw agent\u0007');
const isOfDevs = (arg) => arg.startsWith('--session-id=') || arg.startsWith('--settings=');
say(`[args ${JSON.stringify(process.argv.slice(2).filter((arg) => !isOfDevs(arg)))}]`);
size();
process.stdout.on('resize', size);
process.on('SIGUSR2', () => process.exit(0)); // ends by itself, without a key of the user
process.stdin.on('data', (bytes) => {
  say(`[keys ${bytes.toString('hex')}]`);
  if (bytes.toString() === 'q') process.exit(7);
  if (bytes.toString() === '\u0004') process.exit(0);
});
