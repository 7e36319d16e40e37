import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repoRoot } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';
import {
  makeProject,
  makeSample,
  SAMPLE_MODEL,
  SAMPLE_REQUEST,
  sampleEnvironment,
} from '../lib/sample/make-sample.mjs';

/** A run of a minute, on a machine that does other things too. */
const MAX_MS = 900_000;
const GLOSSARY = join(repoRoot, 'packages/cli/fixtures/glossary');

function openFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-sample-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

async function run(folder: string, project: string, program: string, ...args: string[]): Promise<string> {
  const { code, output } = await capture(program, args, { cwd: project, env: sampleEnvironment(folder) });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${output}`);
  return output;
}
const devsIn =
  (folder: string, project: string) =>
  (...args: string[]) =>
    run(folder, project, process.execPath, join(repoRoot, 'packages/cli/bin/devs.mjs'), ...args);

describe('`npm start`', () => {
  it(
    'takes the workflow to its end with a renewal, re-injections, a resumed answer, compacts and a clear',
    async () => {
      const folder = openFolder();
      const project = await makeSample(folder);
      const devs = devsIn(folder, project);
      await devs('run', '--merge', ...SAMPLE_MODEL, 'feature', SAMPLE_REQUEST);
      const report = JSON.parse(await devs('report', '--json'));
      const actions = report.contextActions.map((found: Record<string, unknown>) => [found.action, found.outcome]);

      expect(report).toMatchObject({
        outcome: { kind: 'done' },
        agent: 'builtin',
        workflow: 'feature',
        tasks: [
          { id: 'format', status: 'done' },
          { id: 'largest', status: 'done' },
        ],
        answers: { resumed: 1, corrected: 0 },
        escalations: [],
        crashes: [],
        stuck: [],
        commits: { length: 3 },
        checks: [{ command: ['npm', 'test'], exitCode: 0 }],
        merged: { into: 'main' },
      });
      // The first of two reasons: a full context, or a second compaction.
      const cause = expect.stringMatching(/^(firm mark|second compaction)$/);
      expect(report.renewals[0]).toMatchObject({ outcome: 'completed', cause });
      expect(report.reinjections.count).toBeGreaterThanOrEqual(4);
      expect(report.reinjections.share).toBeLessThan(0.002);
      expect(actions).toEqual([
        ['compact', 'observed'],
        ['compact', 'observed'],
        ['clear', 'observed'],
      ]);
      expect(report.steps.map((step: { at: string }) => step.at)).toEqual([
        ...['requirements', 'design', 'sharpen.1', 'sharpen.2'],
        ...['format', 'largest'].flatMap((task) =>
          ['test', 'implement', 'verify'].map((sub) => `build.${task}.${sub}`),
        ),
        ...['review', 'corrections', 'document'],
      ]);
      const test = join('test', 'no-duration.test.js');
      expect(await run(folder, project, process.execPath, '--test', '--test-reporter=tap', test)).toMatch(/# fail 0/);
      expect(readFileSync(join(project, 'src', 'index.js'), 'utf8')).toContain('formatDuration');
      expect(await run(folder, project, 'git', 'status', '--short')).toBe('');
    },
    MAX_MS,
  );
});

describe('another project, another workflow and another scenario', () => {
  it(
    'are taken to their end as well: a task is given up, a step is tried again',
    async () => {
      const folder = openFolder();
      const project = await makeProject(join(folder, 'words'), join(GLOSSARY, 'project'));
      mkdirSync(join(project, '.devs', 'workflows'), { recursive: true });
      cpSync(join(GLOSSARY, 'tend.yaml'), join(project, '.devs', 'workflows', 'tend.yaml'));
      writeFileSync(
        join(project, '.devs', 'config.yaml'),
        'agent: builtin\nworktree: here\nchecks: [[node, check.mjs]]\n',
      );
      const devs = devsIn(folder, project);
      await devs('config', '--trust');
      const model = ['--provider', 'scripted', '--scenario', join(GLOSSARY, 'scenario.yaml')];
      await devs('run', ...model, 'tend', 'Tell every word');
      const report = JSON.parse(await devs('report', '--json'));

      expect(report).toMatchObject({
        outcome: { kind: 'done' },
        workflow: 'tend',
        tasks: [
          { id: 'q', status: 'done' },
          { id: 'd', status: 'failed' },
          { id: 'j', status: 'failed' },
        ],
        renewals: [],
        checks: [{ command: ['node', 'check.mjs'], exitCode: 0 }],
      });
      expect(report.contextActions.map(({ action, outcome }: Record<string, unknown>) => [action, outcome])).toEqual([
        ['compact', 'observed'],
        ['clear', 'observed'],
        ['clear', 'observed'],
      ]);
      expect(await run(folder, project, process.execPath, 'check.mjs')).toBe('all 3 words are told\n');
    },
    MAX_MS,
  );
});
