import { createInterface } from 'node:readline/promises';

export type Answer = 'yes' | 'no' | 'cannot-ask';

/** Asks a question that only `yes` or `y` confirms. Without a terminal the question cannot be asked. */
export async function confirm(
  question: string,
  { stdin, stderr }: Pick<NodeJS.Process, 'stdin' | 'stderr'>,
): Promise<Answer> {
  if (!stdin.isTTY || !stderr.isTTY) return 'cannot-ask';
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = new Promise<string>((resolve) => {
      prompt.on('close', () => resolve('')); // Ctrl-D
      prompt.on('SIGINT', () => resolve(''));
      void prompt.question(`${question} [y/N] `).then(resolve, () => resolve(''));
    });
    return /^y(es)?$/i.test((await answer).trim()) ? 'yes' : 'no';
  } finally {
    prompt.close();
  }
}
