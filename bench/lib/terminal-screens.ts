// A client of `bench/terminals.ts`: keeps the screens of all terminals of a host until its input ends.
import { connectHost, openScreen } from '@devs/terminals';

const [folder = ''] = process.argv.slice(2);
const { host } = await connectHost({ folder });
for (const { terminalId } of await host.list()) await openScreen({ host, terminalId });
process.stdout.write('ready\n');
process.stdin.resume().on('end', () => process.exit(0));
