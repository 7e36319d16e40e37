import { spawn } from 'node:child_process';
import type { JsonObject, LaunchSite } from '@devs/core';
import { cleanEnvironment } from '../../driving/clean-environment.js';
import { numberIn, objectIn, parseObject, textIn } from '../../reading/json.js';

const MAX_MS = 10_000;
const MAX_BYTES = 16 << 20;

/** What Codex says of itself. */
export interface CodexConfig {
  readonly values: JsonObject;
  /** Its home, where a profile of ours would have the last word on its instructions, and this version reads such files. */
  readonly profiles?: string;
}

/**
 * The configuration that Codex would run with, as Codex itself understands it: files, profile, project and the options
 * given. Asked for over its app server, which takes half a second. `undefined` where it does not answer.
 */
export function readCodexConfig(
  { command = 'codex', folder, env }: LaunchSite,
  options: readonly string[],
): Promise<CodexConfig | undefined> {
  return new Promise((done) => {
    const child = spawn(command, [...options, 'app-server'], {
      cwd: folder,
      env: cleanEnvironment(env),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let text = '';
    let isOver = false;
    let hello: JsonObject | undefined;
    const finish = (config: CodexConfig | undefined) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      child.kill('SIGKILL'); // it has nothing to lose, and a launcher would leave it running
      done(config);
    };
    const timer = setTimeout(() => finish(undefined), MAX_MS);
    child.on('error', () => finish(undefined));
    child.on('close', () => finish(undefined));
    child.stdin.on('error', () => finish(undefined));
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.length > MAX_BYTES) return finish(undefined);
      for (const line of text.split('\n').slice(0, -1)) {
        const answer = parseObject(line);
        if (numberIn(answer?.id) === HELLO.id) hello = objectIn(answer?.result);
        if (numberIn(answer?.id) === ASK.id) finish(codexConfig(hello, objectIn(answer?.result)));
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

/** Pure: the content of the two answers. */
export function codexConfig(hello: JsonObject | undefined, answer: JsonObject | undefined): CodexConfig | undefined {
  const values = objectIn(answer?.config);
  if (values === undefined) return undefined;
  const home = textIn(hello?.codexHome);
  const [, major = '0', minor = '0'] = /\/(\d+)\.(\d+)\./.exec(textIn(hello?.userAgent) ?? '') ?? [];
  const readsProfiles = Number(major) > 0 || Number(minor) >= FIRST_WITH_PROFILES;
  const origin = textIn(objectIn(objectIn(objectIn(answer?.origins)?.developer_instructions)?.name)?.type);
  const isLast = origin === undefined || !ABOVE_PROFILES.test(origin);
  return { values, ...(home !== undefined && readsProfiles && isLast ? { profiles: home } : {}) };
}

/** Of 0.x; tried with this one. */
const FIRST_WITH_PROFILES = 166;

/** These layers override a profile (measured for the project's); options are left out if they say the same. */
const ABOVE_PROFILES = /project|managed|mdm|system|legacy/i;
