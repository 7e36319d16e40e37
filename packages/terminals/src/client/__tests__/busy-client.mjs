// A client that starts terminals as fast as it can, until it is killed: `node busy-client.mjs FOLDER`.
import { connectHost } from '@devs/terminals';

const [folder = ''] = process.argv.slice(2);
const COUNT = 'i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.005; done';
const { host } = await connectHost({ folder, graceMs: 300 });
process.stdout.write('connected\n');
for (let number = 1; ; number++) {
  const request = { cwd: folder, env: { PATH: process.env.PATH ?? '' }, columns: 80, rows: 24 };
  await host.spawn({ ...request, terminalId: `t${process.pid}-${number}`, file: 'sh', args: ['-c', COUNT] });
}
