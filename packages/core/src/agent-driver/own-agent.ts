import { z } from 'zod';
import { command, type DeepReadonly, flag, pattern, text, texts } from '../yaml/kinds.js';

/** An agent that the user describes in the settings; patterns are tried on each line of its screen. */
export const OwnAgentEntry = z
  .strictObject({
    acp: command()
      .exactOptional()
      .describe(
        'The program and its arguments, for an agent that speaks the Agent Client Protocol. Nothing else is needed.',
      ),
    command: command().exactOptional().describe('The program and its arguments.'),
    prompt: pattern()
      .exactOptional()
      .describe('How its prompt looks on the screen up to where a draft begins, such as "^> ".'),
    promptEnd: pattern().exactOptional().describe('What ends the line of the prompt.'),
    placeholder: pattern().exactOptional().describe('What it writes into an empty prompt.'),
    busy: pattern().exactOptional().describe('A line that it shows while it works.'),
    waiting: pattern().exactOptional().describe('A line that it shows while it waits for an answer.'),
    idle: pattern()
      .exactOptional()
      .describe('A line that it shows when it is ready. Without it: its prompt, and neither of the two.'),
    exit: text().default('/exit').describe('What is typed to end it.'),
    compact: text()
      .exactOptional()
      .describe('What is typed to shorten its conversation; by ACP, the prompt that does so.'),
    clear: text().exactOptional().describe('What is typed to begin a conversation without history.'),
    resume: texts()
      .exactOptional()
      .describe(
        'Arguments that open a conversation again; {id} stands for it. Without them no conversation is resumed.',
      ),
    conversation: texts().exactOptional().describe('Arguments that name a new conversation, in the same way.'),
    promptArgument: flag().default(false).describe('Whether it takes a first prompt as its last argument.'),
    version: texts().default(['--version']).describe('Arguments that print its version.'),
  })
  .superRefine((entry, { addIssue }) => {
    if (entry.acp !== undefined) return;
    for (const key of ['command', 'prompt'] as const)
      if (entry[key] === undefined) addIssue({ code: 'custom', path: [key], message: '' });
  })
  .meta({ anyOf: [{ required: ['acp'] }, { required: ['command', 'prompt'] }] });

type Entry = DeepReadonly<z.infer<typeof OwnAgentEntry>>;

/** An agent that devs knows only by its screen. */
export type GenericAgentConfig = { readonly name: string } & Omit<Entry, 'acp'> &
  Required<Pick<Entry, 'command' | 'prompt'>>;

/** An agent that speaks the Agent Client Protocol over its standard input and output. */
export type AcpAgentConfig = { readonly name: string } & Required<Pick<Entry, 'acp'>> & Pick<Entry, 'compact'>;

export type OwnAgentConfig = GenericAgentConfig | AcpAgentConfig;

/** An entry under its name. It has either `acp`, or `command` and `prompt`. */
export function ownAgent(name: string, { acp, ...entry }: Entry): OwnAgentConfig {
  if (acp !== undefined) return { name, acp, ...(entry.compact === undefined ? {} : { compact: entry.compact }) };
  const { command: program = [], prompt = '', ...others } = entry;
  return { ...others, name, command: program, prompt };
}

/** The same for an agent that is known by its screen, with the defaults of an entry. */
export const genericAgent = (
  name: string,
  written: DeepReadonly<z.input<typeof OwnAgentEntry>> & Pick<GenericAgentConfig, 'command' | 'prompt'>,
): GenericAgentConfig => {
  const { acp: _, ...entry } = OwnAgentEntry.parse(written);
  return { ...entry, name, command: written.command, prompt: written.prompt };
};
