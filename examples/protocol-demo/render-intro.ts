import type { Screen } from '@devs/cli/screen/screen';
import { wrapWords } from '@devs/cli/screen/wrap';

/** For readers new to the project. */
export function renderIntro({ turns, threshold }: { turns: number; threshold: number }, screen: Screen): string[] {
  const paragraphs = [
    `A coding agent works in turns: devs asks, and the model answers with one JSON object, the envelope: what it thinks, and which tool to run. Answers get cut off at the output limit, come wrapped in Markdown, or miss a field. Carrying out half of one would damage your files.`,
    `Here a scripted model gives ${turns} answers, most of them broken. Everything else is real: what you read is what the protocol saw, asked and decided. After every ${threshold} turns it also reminds the agent of the project's specs. No network, no API key.`,
  ];
  return [
    screen.palette.title('devs: what becomes of broken answers'),
    '',
    ...paragraphs.flatMap((paragraph) => [...wrapWords(paragraph, screen.columns), '']),
  ];
}
