import { spawn } from 'node:child_process';
import type { AgentPlace, JsonObject } from '@devs/core';
import { cleanEnvironment } from '../../driving/clean-environment.js';
import { numberIn, objectIn, parseObject } from '../../reading/json.js';

const LONGEST_MS = 10_000;
const MOST_BYTES = 16 << 20;

/**
 * The configuration that Codex would run with, as Codex itself understands it: files, profile, project and the options
 * given. Asked for over its app server, which takes half a second. `undefined` where it does not answer.
 */
export function readCodexConfig(
  { command = 'codex', folder, env }: AgentPlace,
  options: readonly string[],
): Promise<JsonObject | undefined> {
  return new Promise((done) => {
    const child = spawn(command, [...options, 'app-server'], {
      cwd: folder,
      env: cleanEnvironment(env),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let text = '';
    let isOver = false;
    const finish = (config: JsonObject | undefined) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      child.kill('SIGKILL'); // it has nothing to lose, and a launcher would leave it running
      done(config);
    };
    const timer = setTimeout(() => finish(undefined), LONGEST_MS);
    child.on('error', () => finish(undefined));
    child.on('close', () => finish(undefined));
    child.stdin.on('error', () => finish(undefined));
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.length > MOST_BYTES) return finish(undefined);
      for (const line of text.split('\n').slice(0, -1)) {
        const answer = parseObject(line);
        if (numberIn(answer?.id) === ASK.id) finish(objectIn(objectIn(answer?.result)?.config));
      }
      text = text.slice(text.lastIndexOf('\n') + 1);
    });
    for (const message of [
      HELLO,
      { method: 'initialized' },
      { ...ASK, params: { includeLayers: false, cwd: folder } },
    ]) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    }
  });
}

const HELLO = { id: 1, method: 'initialize', params: { clientInfo: { name: 'devs', version: '0.1.0' } } };
const ASK = { id: 2, method: 'config/read' };
