import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Answer } from '../../files/confirm.js';
import { openAgreements } from '../agreements.js';
import { askFolderTrust, trustFolder } from '../folder-trust.js';

function openUser(answer: Answer) {
  const folder = mkdtempSync(join(tmpdir(), 'devs-trust-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const asked: string[] = [];
  const agreements = openAgreements(async () => join(folder, 'agreed'));
  const confirm = async (question: string) => {
    asked.push(question);
    return answer;
  };
  return { root: folder, asked, services: { agreements, confirm } };
}

describe('trust in the folder of a run', () => {
  it.each(['claude', 'codex'])('[H23] asks once, in words, before %s works there', async (agent) => {
    const { root, asked, services } = openUser('yes');

    expect(await askFolderTrust({ agent, root }, services)).toBe(true);
    expect(await askFolderTrust({ agent, root }, services)).toBe(true);

    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(root);
    expect(asked[0]).toContain('Do you trust the files in this folder?');
  });

  it('starts nothing where the user says no, and asks again the next time', async () => {
    const { root, asked, services } = openUser('no');
    const ask = () => askFolderTrust({ agent: 'claude', root }, services);

    await expect(ask()).rejects.toThrow('you do not trust the folder, so nothing was started.');
    await expect(ask()).rejects.toThrow('you do not trust the folder');
    expect(asked).toHaveLength(2);
  });

  it('claims no trust without a terminal, unless the user granted it before', async () => {
    const { root, services } = openUser('cannot-ask');

    expect(await askFolderTrust({ agent: 'codex', root }, services)).toBe(false);
    await trustFolder(root, services.agreements);
    expect(await askFolderTrust({ agent: 'codex', root }, services)).toBe(true);
  });

  it('asks nothing for an agent that has no such question', async () => {
    const { root, asked, services } = openUser('yes');

    expect(await askFolderTrust({ agent: 'builtin', root }, services)).toBe(false);
    expect(asked).toEqual([]);
  });
});
