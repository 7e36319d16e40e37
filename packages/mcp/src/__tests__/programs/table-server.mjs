// FOLDER: a server with one tool for each behaviour under test. It writes events to FOLDER/journal.
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { createToolServer, defineTool, serveStdio } from '../../../dist/index.js';

const [folder = '.'] = process.argv.slice(2);
const tell = (/** @type {string} */ what) => appendFileSync(join(folder, 'journal'), `${what}\n`);
const opened = async (/** @type {string} */ gate) => {
  while (!existsSync(join(folder, gate))) await pause(2);
};
const annotations = { readOnlyHint: true };
const text = z.strictObject({ text: z.string() });
const describe = (/** @type {string} */ name) => ({ name, title: name, description: `The tool ${name}`, annotations });

const tools = [
  defineTool({ ...describe('echo'), input: text, output: text, run: (input) => input }),
  defineTool({
    ...describe('count'),
    input: z.object({ to: z.int({ error: 'to must be a whole number, as in 3' }), from: z.number().default(1) }),
    output: z.object({ sum: z.number() }),
    run: ({ from, to }) => ({ sum: from + to }),
  }),
  defineTool({
    ...describe('choose'),
    input: z.object({ kind: z.enum(['step', 'action']) }),
    output: z.union([z.object({ step: z.string() }), z.object({ contextAction: z.enum(['/compact', '/clear']) })]),
    run: ({ kind }) => (kind === 'step' ? { step: 'plan' } : { contextAction: /** @type {const} */ ('/compact') }),
  }),
  defineTool({
    ...describe('refuse'),
    input: z.object({ code: z.string().optional() }),
    output: text,
    run({ code }) {
      throw Object.assign(new Error('Workflow not started. Call workflow_start first.'), code && { code });
    },
  }),
  defineTool({ ...describe('lie'), input: z.object({}), output: text, run: () => /** @type {never} */ ({ text: 7 }) }),
  defineTool({
    ...describe('chatter'),
    input: z.object({}),
    output: text,
    run() {
      console.log('noise');
      return { text: 'said' };
    },
  }),
  // Waits at the gates: `during` before it answers, `after` in its job.
  defineTool({
    ...describe('work'),
    input: z.object({ name: z.string(), during: z.string().optional(), after: z.string().optional() }),
    output: z.object({ name: z.string() }),
    async run({ name, during, after }, { afterAnswer }) {
      tell(`${name} begins`);
      afterAnswer(async () => {
        tell(`${name} follows up`);
        if (after) await opened(after);
        tell(`${name} is done`);
      });
      await pause(1);
      if (during) await opened(during);
      tell(`${name} answers`);
      return { name };
    },
  }),
  defineTool({
    ...describe('stumble'),
    input: z.object({}),
    output: z.object({ ok: z.boolean() }),
    run(_input, { afterAnswer }) {
      afterAnswer(() => Promise.reject(new Error('the job stumbled')));
      afterAnswer(async () => tell('the job after it is done'));
      return { ok: true };
    },
  }),
];

// Once, as in the server: the second signal ends the process.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => tell(signal));

const server = createToolServer({
  name: 'table',
  version: '1.2.3',
  instructions: 'Call echo first.',
  tools,
  context: {},
});
await serveStdio(server, { stdin: process.stdin, stdout: process.stdout });
tell('the server ended');
