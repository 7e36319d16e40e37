import { describe, expect, it } from 'vitest';
import type { Answer } from '../../files/confirm.js';
import { checkStoredFlags, rememberFlags } from '../agreed-flags.js';
import { createMemoryAgreements } from './memory-agreements.js';

const SETUP = { where: '--set setup', text: 'setup: [[curl, example.org]]\n' };
const BUDGET = { where: '--max-tokens', text: 'budget:\n tokens: 500\n' };

function openUser(answer: Answer) {
  const questions: string[] = [];
  const agreements = createMemoryAgreements();
  const confirm = async (question: string) => {
    questions.push(question);
    return answer;
  };
  const resume = (stored: readonly (typeof SETUP)[], typed: readonly (typeof SETUP)[] = []) =>
    checkStoredFlags({ stored, typed, root: '/shop' }, { agreements, confirm });
  return { agreements, questions, resume };
}

describe('the flags that are stored with a run', () => {
  it('count again at a resume where this user typed them', async () => {
    const { agreements, resume, questions } = openUser('cannot-ask');
    await rememberFlags([SETUP, BUDGET], '/shop', { agreements });
    await resume([SETUP, BUDGET]);
    await resume([{ ...SETUP, where: '--set checks' }], [{ ...SETUP, where: '--set checks' }]);
    expect(questions).toEqual([]);
  });

  it('[S8] run nothing if another person wrote them into the store', async () => {
    const { resume } = openUser('cannot-ask');
    await expect(resume([BUDGET, SETUP])).rejects.toThrow(
      'the run was started with --set setup, which you did not type in this project. Resume it in a terminal',
    );
    await expect(openUser('no').resume([SETUP])).rejects.toThrow('you did not agree');
  });

  it('are asked about once', async () => {
    const { resume, questions } = openUser('yes');
    await resume([SETUP]);
    await resume([SETUP]);
    expect(questions).toEqual([expect.stringContaining('setup: [[curl, example.org]]')]);
  });
});
