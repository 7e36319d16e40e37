import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface McpClient {
  /** From the start of the process to its first answer, which is to `initialize`. */
  readonly firstAnswerMs: number;
  /** Milliseconds from writing the request to having read the whole answer. Throws when the tool says that it is in error. */
  timeCall(tool: string, args: object): Promise<number>;
  close(): Promise<void>;
}

/** The least that can talk to a server, so that what is measured is the server: lines of JSON, one request at a time. */
export async function startMcpClient({ command, args }: McpCommand): Promise<McpClient> {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  });
  let received: Buffer[] = [];
  let heard = (_line: Buffer) => {};
  child.stdout.on('data', (chunk: Buffer) => {
    received.push(chunk);
    if (chunk.at(-1) !== 0x0a) return; // One request at a time: an answer ends where the output does.
    heard(Buffer.concat(received));
    received = [];
  });
  const nextLine = () =>
    new Promise<Buffer>((resolve) => {
      heard = resolve;
    });
  const write = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  const clientInfo = { name: 'bench', version: '0' };
  const initialized = nextLine();
  write({ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  await initialized;
  const firstAnswerMs = performance.now() - started;
  write({ method: 'notifications/initialized' });

  let id = 0;
  return {
    firstAnswerMs,
    async timeCall(tool, args) {
      id += 1;
      const answered = nextLine();
      const asked = performance.now();
      write({ id, method: 'tools/call', params: { name: tool, arguments: args } });
      const line = await answered;
      const tookMs = performance.now() - asked;
      const answer: { id?: number; result?: { isError?: boolean } } = JSON.parse(line.toString('utf8'));
      if (answer.id !== id || !answer.result || answer.result.isError) throw new Error(`${tool} answered ${line}`);
      return tookMs;
    },
    async close() {
      child.stdin.end();
      await once(child, 'close');
    },
  };
}
