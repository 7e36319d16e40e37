import { CliError, UsageError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { describeChange, describeWaiting, type WaitingFile } from './waiting-file.js';

/** What to type if the user cannot be asked. */
export const HOW_TO_AGREE = 'Look at it, then agree with `devs config --trust`';

/** Shows what is new in a file and asks once. Rejects where the user does not agree, or cannot be asked. */
export async function askToAgree(
  file: WaitingFile,
  { confirm, agreements }: Pick<Services, 'confirm' | 'agreements'>,
): Promise<void> {
  const question = [
    `${describeWaiting(file)}:`,
    '',
    ...describeChange(file),
    '',
    'It counts only with your agreement. Agree?',
  ];
  const answer = await confirm(question.join('\n'));
  if (answer === 'cannot-ask')
    throw new UsageError(`${describeWaiting(file)}. It counts only with your agreement. ${HOW_TO_AGREE}.`);
  if (answer === 'no') throw new CliError('you did not agree, so nothing was done.');
  await agreements.add(file.subject, file.text);
}
