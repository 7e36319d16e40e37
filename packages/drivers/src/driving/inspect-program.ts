import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { AgentInspection, LaunchSite } from '@devs/core';
import { cleanEnvironment } from './clean-environment.js';

export interface ProgramFacts {
  readonly name: string;
  readonly versionArgs?: readonly string[];
  readonly triedVersions: readonly string[];
  /** The formats that watching an untried version assumes. */
  readonly reliesOn: string;
  readonly install: string;
}

/** Looks for the program and asks it for its version. Never rejects. */
export async function inspectProgram(place: LaunchSite, facts: ProgramFacts): Promise<AgentInspection> {
  const command = await findProgram(place.command ?? facts.name, place);
  if (command === undefined) {
    return { kind: 'unusable', reason: `${place.command ?? facts.name} was not found`, advice: facts.install };
  }
  const asked = await askVersion(command, place, facts.versionArgs ?? ['--version']);
  if (asked.version === undefined) {
    return { kind: 'unusable', reason: `${command} does not say its version: ${asked.detail}`, advice: facts.install };
  }
  const { version } = asked;
  if (facts.triedVersions.includes(version)) return { kind: 'installed', command, version, tried: true };
  const tried = facts.triedVersions.at(-1);
  const warning =
    tried === undefined
      ? `${facts.name} ${version}: ${facts.reliesOn}`
      : `${facts.name} ${version} was not tried with devs (${tried} was): ${facts.reliesOn}`;
  return { kind: 'installed', command, version, tried: false, warning };
}

/** A path, or the first on the user's PATH. */
export async function findProgram(name: string, { env, folder }: LaunchSite): Promise<string | undefined> {
  if (/[/\\]/.test(name)) return isExecutable(isAbsolute(name) ? name : resolve(folder, name));
  for (const directory of (env.PATH ?? '').split(delimiter)) {
    const found = directory === '' ? undefined : await isExecutable(join(directory, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

interface Asked {
  readonly version?: string;
  readonly detail: string;
}

function askVersion(command: string, { env, folder }: LaunchSite, args: readonly string[]): Promise<Asked> {
  const options = { cwd: folder, env: cleanEnvironment(env), timeout: MAX_ANSWER_MS, maxBuffer: 1 << 20 };
  return new Promise((done) => {
    const answer = (error: Error | null, output: string) => {
      const version = /\d+\.\d+\.\d+(?:[-+][\w.]+)?/.exec(output)?.[0];
      const detail = (error?.message ?? output).trim().slice(0, 200);
      done(version === undefined || error !== null ? { detail } : { version, detail });
    };
    try {
      execFile(command, [...args], options, (error, output) => answer(error, output)).stdin?.end();
    } catch (error) {
      answer(error instanceof Error ? error : new Error(String(error)), '');
    }
  });
}

const MAX_ANSWER_MS = 60_000; // opencode takes seven seconds at its first start, and several times that on a busy machine
