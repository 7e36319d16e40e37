import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNoSandbox } from '@devs/core';
import { onTestFinished } from 'vitest';
import { openTools, type ToolsRequest } from '../open-tools.js';

/** A worktree with something beside it, and the agent's tools in it. */
export async function openToolWorld(changes: Partial<ToolsRequest> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-tools-')));
  const [root, beside] = [join(folder, 'worktree'), join(folder, 'beside')];
  for (const path of [root, beside]) mkdirSync(path);
  const missing: string[] = [];
  const { env = { PATH: process.env.PATH } } = changes;
  const box = await openTools({
    root,
    env,
    sandbox: createNoSandbox(env),
    servers: {},
    mostOutputChars: 2_000,
    timeLimitMs: 20_000,
    onMissing: (server) => missing.push(server),
    ...changes,
  });
  onTestFinished(async () => {
    await box.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const call = (name: string, input: Record<string, unknown>, signal = new AbortController().signal) =>
    box.call(name, input, signal);
  return { root, beside, box, missing, call };
}
