import { holdCodex } from '@devs/drivers';

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

/** Holds Codex's app server until it ends, or this process is told to. */
export async function holdCodexServer(
  folder: string,
  process: Pick<NodeJS.Process, 'pid' | 'stdout' | 'on' | 'off'>,
): Promise<number> {
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    const say = (text: string) => void process.stdout.write(`${text}\r\n`);
    return await holdCodex({ folder, pid: process.pid, say, signal: ending.signal });
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}
