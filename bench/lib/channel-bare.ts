import { type ChildProcess, spawn } from 'node:child_process';
import type { Place, Prompted } from './channel-place.js';

type Message = Readonly<Record<string, unknown>>;

/** A program that writes one JSON object on each line. */
function talkTo(place: Place, command: string, args: readonly string[]) {
  const child: ChildProcess = spawn(command, [...args], {
    cwd: place.project,
    env: { ...place.env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  place.closers.push(async () => void child.kill('SIGKILL'));
  const awaited = new Set<{ fits(message: Message): boolean; resolve(message: Message): void }>();
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      for (const one of [...awaited]) if (one.fits(message) && awaited.delete(one)) one.resolve(message);
    }
  });
  return {
    send: (message: object) => void child.stdin?.write(`${JSON.stringify(message)}\n`),
    until: (fits: (message: Message) => boolean) =>
      new Promise<Message>((resolve) => {
        awaited.add({ fits, resolve });
      }),
  };
}

export async function bareClaude(place: Place, program: string): Promise<Prompted> {
  const claude = talkTo(place, program, [
    ...['--print', '--input-format=stream-json', '--output-format=stream-json', '--verbose'],
    ...['--replay-user-messages', '--permission-prompt-tool=stdio'],
  ]);
  const greeted = claude.until(({ type }) => type === 'control_response');
  claude.send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } });
  await greeted;
  return async (text) => {
    const ended = claude.until(({ type }) => type === 'result');
    claude.send({ type: 'user', message: { role: 'user', content: text } });
    await ended;
  };
}

export async function bareCodex(place: Place, program: string): Promise<Prompted> {
  const codex = talkTo(place, process.execPath, [program, 'app-server']);
  let last = 0;
  const request = async (method: string, params: object): Promise<Message> => {
    const id = ++last;
    const answered = codex.until((message) => message.id === id && message.method === undefined);
    codex.send({ id, method, params });
    return (await answered).result as Message;
  };
  await request('initialize', { clientInfo: { name: 'bench', version: '0.1.0' } });
  codex.send({ method: 'initialized' });
  const { thread } = await request('thread/start', { cwd: place.project });
  const threadId = (thread as Message).id;
  return async (text) => {
    const ended = codex.until(({ method }) => method === 'turn/completed');
    void request('turn/start', { threadId, input: [{ type: 'text', text, text_elements: [] }] });
    await ended;
  };
}
