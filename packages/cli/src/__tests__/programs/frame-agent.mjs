// An agent that fills its terminal: every row has its number at the left and a bar in the last column, and the second one says how
// large it is. It draws all rows at its start and after each new size, and nothing in between. `q` ends it.
const { stdin, stdout } = process;
const row = (at) =>
  `\u001b[${at};1H${`${at}${at === 2 ? ` ${stdout.columns}x${stdout.rows}` : ''}`.padEnd(stdout.columns - 1, '.')}|`;
const draw = () =>
  stdout.write(
    `\u001b[?7l${Array.from({ length: stdout.rows }, (_, at) => row(at + 1)).join('')}\u001b[?7h\u001b[1;1H`,
  );
stdin.setRawMode?.(true);
stdout.write('\u001b[?1049h');
draw();
stdout.on('resize', draw);
stdin.on('data', (bytes) => bytes.toString() === 'q' && process.exit(0));
