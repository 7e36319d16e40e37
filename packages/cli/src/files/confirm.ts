import { createInterface } from 'node:readline/promises';

export type Answer = 'yes' | 'no' | 'cannot-ask';

type Asked = Pick<NodeJS.Process, 'stdin' | 'stderr'>;

/** Asks a question that only `yes` or `y` confirms. Without a terminal the question cannot be asked. */
export async function confirm(question: string, terminal: Asked): Promise<Answer> {
  const answer = await askLine(`${question} [y/N] `, terminal);
  if (answer === undefined) return 'cannot-ask';
  return /^y(es)?$/i.test(answer) ? 'yes' : 'no';
}

/** Lists choices by number, and asks for one. `undefined` without a terminal, and where the answer is no choice. */
export async function pick(choices: readonly string[], terminal: Asked): Promise<number | undefined> {
  const rows = choices.map((choice, index) => `  ${index + 1}  ${choice}\n`);
  const answer = await askLine(`${rows.join('')}Which one? [1-${choices.length}] `, terminal);
  const index = /^\d+$/.test(answer ?? '') ? Number(answer) - 1 : -1;
  return choices[index] === undefined ? undefined : index;
}

async function askLine(question: string, { stdin, stderr }: Asked): Promise<string | undefined> {
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  const prompt = createInterface({ input: stdin, output: stderr });
  try {
    const answer = new Promise<string>((resolve) => {
      prompt.on('close', () => resolve('')); // Ctrl-D
      prompt.on('SIGINT', () => resolve(''));
      void prompt.question(question).then(resolve, () => resolve(''));
    });
    return (await answer).trim();
  } finally {
    prompt.close();
  }
}
