import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { handoffDocumentSchema } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { createShop, TRANSCRIPT } from './shop.js';

describe('devs handoff', () => {
  it('prints the document of the newest conversation here, and nothing else', async () => {
    const { devs, keep } = await createShop();
    await keep(TRANSCRIPT);
    const { exitCode, stdout, stderr } = await devs('handoff');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^# Handoff\n/);
    expect(stdout).toContain('Make the totals right');
    expect(stdout).toContain('claude --resume c-1');
  });

  it('lists the blocked tasks of the project', async () => {
    const { devs, keep } = await createShop();
    await keep(TRANSCRIPT);
    await devs('task', 'add', 'Deploy it', '--id', 'deploy');
    await devs('task', 'block', 'deploy', '--reason', 'no key');
    expect((await devs('handoff')).stdout).toContain('Blocked in the queue: deploy (Deploy it): no key');
  });

  it('takes a transcript, a budget and --json', async () => {
    const { devs, keep } = await createShop();
    const path = await keep(TRANSCRIPT);
    const short = await devs('handoff', 'build', '--transcript', path, '--budget-chars', '1000');
    expect(short.stdout.length).toBeLessThanOrEqual(1_001);
    const { stdout } = await devs('handoff', 'build', '--transcript', path, '--json');
    expect(handoffDocumentSchema.parse(JSON.parse(stdout))).toMatchObject({ conversation: { id: 'c-1' } });
  });

  it('knows by itself which agent wrote a transcript', async () => {
    const { devs, keep } = await createShop();
    const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Count the stars' }] };
    const path = await keep([
      { type: 'session_meta', payload: { id: 'c-2', cwd: '/nowhere/at-all' } },
      { type: 'response_item', payload: message },
    ]);
    expect((await devs('handoff', '--transcript', path)).stdout).toContain('Count the stars');
  });

  it('complains about damaged lines, and prints the rest', async () => {
    const { devs, keep } = await createShop();
    await keep(['\u0000broken', ...TRANSCRIPT]);
    const { exitCode, stdout, stderr } = await devs('handoff');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Make the totals right');
    expect(stderr).toContain('one line is unreadable');
  });

  it.each([
    ['there is no conversation here', [], 1, 'Name one with --transcript FILE.'],
    ['the file is missing', ['--transcript', '/nowhere.jsonl'], 1, '/nowhere.jsonl'],
    ['the agent is unknown', ['--agent', 'parrot'], 2, 'parrot'],
    ['the budget is no number', ['--budget-chars', 'lots'], 2, 'whole number'],
    ['two budgets are given', ['--budget-chars', '2000', '--budget-tokens', '2000'], 2, 'cannot be used with'],
    ['two things are asked for', ['--check', '--diff'], 2, 'cannot be used with'],
    ['nobody can start the agent', ['--to', 'parrot'], 2, 'claude, codex'],
  ])('says what to do where %s', async (_, options, exitCode, words) => {
    const { devs } = await createShop();
    const run = await devs('handoff', 'build', ...options);
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(words);
  });

  it.each([
    ['is empty', []],
    ['is binary', ['\u0000\u0001\u0002', '\ufffd\u0000']],
  ])('says so where the file %s', async (_, lines) => {
    const { devs, keep } = await createShop();
    const run = await devs('handoff', '--transcript', await keep(lines));
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('holds no conversation');
  });
});

describe('devs handoff with git', () => {
  it('lists uncommitted files', async () => {
    const { devs, keep, git, write } = await createShop();
    await write('src/add-up.ts', 'old\n');
    git('add', '.');
    git('commit', '-qm', 'Begin');
    await write('src/add-up.ts', 'new\n');
    await write('src/new.ts', 'new\n');
    await keep(TRANSCRIPT);
    const { stdout } = await devs('handoff');
    expect(stdout).toMatch(/- `src\/add-up\.ts`: edited once, .*in git modified \(\+1 −1\)/);
    expect(stdout).toContain('- `src/new.ts`: in git untracked');
    expect(stdout).toContain('In git the branch is `main`');
    expect(stdout).toContain('“Begin”');
  });

  it('shows paths relative to the folder of the conversation', async () => {
    const { devs, keep, write, folder } = await createShop();
    await write('web/src/page.ts', 'new\n');
    const path = await keep(TRANSCRIPT.map((row) => ({ ...row, cwd: join(folder, 'web') })));
    expect((await devs('handoff', '--transcript', path)).stdout).toContain('- `src/page.ts`: in git untracked');
  });

  it('reads no git where the folder of the transcript is not here', async () => {
    const { devs, keep, write } = await createShop();
    await write('secret-plan.ts', 'new\n');
    const path = await keep(TRANSCRIPT.map((row) => ({ ...row, cwd: '/somewhere/else' })));
    expect((await devs('handoff', '--transcript', path)).stdout).not.toContain('secret-plan');
    expect((await devs('handoff', '--transcript', path, '--repo', '.')).stdout).toContain('- `secret-plan.ts`');
    const missing = await devs('handoff', '--transcript', path, '--repo', 'nowhere');
    expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
    expect(missing.stderr).toContain('--repo');
  });
});

describe('devs handoff --check', () => {
  it('passes what devs has built', async () => {
    const { devs, keep, write } = await createShop();
    await write('src/new.ts', 'new\n');
    await keep(TRANSCRIPT);
    expect(await devs('handoff', '--check')).toMatchObject({ exitCode: 0, stderr: '' });
    const { stdout } = await devs('handoff', '--check', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ complete: true, faults: [] });
  });

  it("names what a user's own text lacks", async () => {
    const { devs, keep, write, files } = await createShop();
    await write('src/new.ts', 'new\n');
    await keep(TRANSCRIPT);
    files.set('notes.md', 'Make the totals right. Open: write a test for vouchers.');
    const { exitCode, stdout } = await devs('handoff', '--check', 'notes.md');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('missing: a changed file: `src/new.ts`');
    expect(stdout).not.toContain('the last request');
  });

  it('names items without room, and their size', async () => {
    const { devs, keep, write } = await createShop();
    for (let file = 0; file < 30; file++) await write(`src/a-rather-long-folder/file-${file}.ts`, 'new\n');
    await keep(TRANSCRIPT);
    const small = await devs('handoff', '--check', '--budget-chars', '1000');
    expect(small.exitCode).toBe(1);
    const [, enough = ''] = /--budget-chars (\d+) is enough/.exec(small.stdout) ?? [];
    expect(await devs('handoff', '--check', '--budget-chars', enough)).toMatchObject({ exitCode: 0 });
    const printed = await devs('handoff', '--budget-chars', '1000');
    expect(printed.exitCode).toBe(0);
    expect(printed.stderr).toContain(`--budget-chars ${enough} is enough`);
  });
});

describe('devs handoff --diff', () => {
  it('tells what the next conversation will not know, and what the summary did not', async () => {
    const { devs, keep } = await createShop();
    const boundary = { type: 'system', subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } };
    const summary = { type: 'user', isCompactSummary: true, message: { content: 'The totals were wrong.' } };
    await keep([...TRANSCRIPT, boundary, summary]);
    const { exitCode, stdout } = await devs('handoff', '--diff');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/ {2}files {5}0 of 1/);
    expect(stdout).toMatch(/only in the handoff: .*1 file/);
    expect(JSON.parse((await devs('handoff', '--diff', '--json')).stdout)).toMatchObject({ known: { file: 1 } });
  });

  it('says so where there was no compaction', async () => {
    const { devs, keep } = await createShop();
    await keep(TRANSCRIPT);
    expect((await devs('handoff', '--diff')).stdout).toContain('has not compacted');
  });
});

describe('devs handoff --to', () => {
  it('writes the handoff for the user alone, and prints what starts the agent with it', async () => {
    const { devs, keep, folder, git } = await createShop("it's a shop");
    await keep(TRANSCRIPT);
    const { exitCode, stdout, stderr } = await devs('handoff', '--to', 'claude');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const [, file = ''] = /Read (\S+\.md) first/.exec(stdout) ?? [];
    expect(stdout.startsWith(`cd '${folder.replaceAll("'", "'\\''")}' && claude 'Read .devs/handoffs/`)).toBe(true);
    expect(await readFile(join(folder, file), 'utf8')).toContain('Make the totals right');
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(join(folder, file)))).mode & 0o777).toBe(0o700);
    expect(git('status', '--short')).toBe('');
  });

  it('never writes over an earlier one', async () => {
    const { devs, keep, folder } = await createShop();
    await keep(TRANSCRIPT);
    await devs('handoff', '--to', 'claude');
    await devs('handoff', '--to', 'codex');
    expect(await readdir(join(folder, '.devs', 'handoffs'))).toHaveLength(4);
  });

  it('is continued by the next handoff: open items stay, finished ones go', async () => {
    const { devs, keep, folder } = await createShop();
    await keep(TRANSCRIPT);
    const command = (await devs('handoff', '--to', 'claude')).stdout;
    const [, prompt = ''] = /claude '(.*)'/.exec(command) ?? [];
    await keep([
      { type: 'user', sessionId: 'c-2', cwd: folder, message: { content: prompt } },
      { type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'I go on with the vouchers.' }] } },
    ]);
    const { stdout } = await devs('handoff');
    expect(stdout).toMatch(/The last request.*:\n```\nMake the totals right/);
    expect(stdout).toContain('- [ ] Write a test for vouchers');
    expect(stdout).not.toContain('Fix the sum');
    expect(stdout).not.toContain('Read .devs/handoffs');
    expect(stdout).toContain('number 2 in a row');
  });

  it('[S8] is ignored if another person wrote or changed it', async () => {
    const { devs, keep, write, folder } = await createShop();
    await keep(TRANSCRIPT);
    const command = (await devs('handoff', '--to', 'claude')).stdout;
    const [, prompt = '', name = ''] = /claude '(.*?handoffs\/(\S+)\.md.*)'/.exec(command) ?? [];
    const made = await readFile(join(folder, '.devs', 'handoffs', `${name}.json`), 'utf8');
    const foreign = made.replaceAll('vouchers', 'mallory');
    await write(`.devs/handoffs/${name}.json`, foreign);
    await write('.devs/handoffs/theirs.json', foreign);
    for (const named of [name, 'theirs']) {
      const content = prompt.replace(name, named);
      await keep([{ type: 'user', sessionId: 'c-2', cwd: folder, message: { content } }]);
      expect((await devs('handoff')).stdout).not.toContain('mallory');
    }
    await write(`.devs/handoffs/${name}.json`, made);
    await keep([{ type: 'user', sessionId: 'c-3', cwd: folder, message: { content: prompt } }]);
    expect((await devs('handoff')).stdout).toContain('- [ ] Write a test for vouchers');
  });

  it('says what to do where it cannot write or does not know the folder', async () => {
    const { devs, keep, folder } = await createShop();
    const path = await keep(TRANSCRIPT.map((row) => ({ ...row, cwd: '/somewhere/else' })));
    expect((await devs('handoff', '--transcript', path, '--to', 'claude')).stderr).toContain('--repo');
    await mkdir(join(folder, '.devs'), { recursive: true });
    await writeFile(join(folder, '.devs', 'handoffs'), 'a file');
    await chmod(join(folder, '.devs'), 0o700);
    const run = await devs('handoff', '--transcript', path, '--repo', '.', '--to', 'claude');
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('Redirect');
  });
});
