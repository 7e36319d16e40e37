import { structuredPatch } from 'diff';
import { CliError, UsageError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import type { Agreements, Subject, TrustServices } from './agreements.js';

/** What to type if the user cannot be asked. */
export const HOW_TO_AGREE = 'Look at it, then agree with `devs config --trust`';

/** Shows what is new in a file and asks once. Rejects where the user does not agree, or cannot be asked. */
export async function askToAgree(
  file: WaitingFile,
  { confirm, agreements }: Pick<TrustServices, 'confirm' | 'agreements'>,
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

/** A file of the project that counts only once the user agrees to it. */
export interface WaitingFile {
  readonly subject: Subject;
  /** The path for people. */
  readonly shown: string;
  readonly text: string;
  /** What it does that needs the agreement: `sets checks, setup`. */
  readonly does: string;
  /** What the user agreed to before; missing where the file is new to them. */
  readonly agreed?: string;
}

/** The file as waiting for agreement, or `undefined` if the user agreed to this very content. */
export async function waitingUnlessAgreed(
  file: Omit<WaitingFile, 'agreed'>,
  agreements: Agreements,
): Promise<WaitingFile | undefined> {
  if (await agreements.has(file.subject, file.text)) return undefined;
  const agreed = await agreements.latest(file.subject);
  return { ...file, ...(agreed === undefined ? {} : { agreed }) };
}

const MAX_LINES = 200;
const CONTEXT_LINES = 2;
/** A diff of texts that have nothing in common takes very long; such a text is shown whole. */
const MAX_EDITS = 2_000;

/** What is new in it, as lines of a diff that a terminal only shows. */
export function describeChange({ text, agreed = '' }: WaitingFile): readonly string[] {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS };
  const hunks = structuredPatch('', '', agreed, text, undefined, undefined, options)?.hunks;
  const lines =
    hunks === undefined
      ? text.split('\n').map((line) => `+${line}`)
      : hunks.flatMap((hunk, index) => [...(index === 0 ? [] : ['…']), ...hunk.lines]);
  const left = lines.length - MAX_LINES;
  return [
    ...lines.slice(0, MAX_LINES).map((line) => `  ${visible(line)}`),
    ...(left > 0 ? [`  … ${left} more lines: look at the file before you agree`] : []),
  ];
}

/** `.devs/config.yaml is new to you and sets checks` */
export const describeWaiting = ({ shown, does, agreed }: WaitingFile): string =>
  `${visible(shown)} ${agreed === undefined ? 'is new to you' : 'has changed since you agreed to it'} and ${visible(does)}`;
