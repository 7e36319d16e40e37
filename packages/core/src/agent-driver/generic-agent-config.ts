import { z } from 'zod';

const Pattern = z.string().refine(isPattern, 'is not a regular expression');

/** An agent that devs knows only from the user's description: the patterns are tried on each line of its screen. */
export const GenericAgentConfig = z.strictObject({
  /** As the user names it. */
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be a word in small letters'),
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** The prompt up to where the draft begins, such as `^> `. */
  prompt: Pattern,
  promptEnd: Pattern.optional(),
  placeholder: Pattern.optional(),
  busy: Pattern.optional(),
  waiting: Pattern.optional(),
  /** Without it, an agent is idle that draws its prompt and is neither busy nor waiting. */
  idle: Pattern.optional(),
  exit: z.string().default('/exit'),
  compact: z.string().optional(),
  clear: z.string().optional(),
  /** Arguments that reopen a conversation; `{id}` is its id. Without them no conversation is resumed. */
  resume: z.array(z.string()).optional(),
  /** Arguments that name a new conversation, in the same way. */
  conversation: z.array(z.string()).optional(),
  /** Whether it takes a first prompt as its last argument. */
  promptArgument: z.boolean().default(false),
  /** Arguments that print its version. */
  version: z.array(z.string()).default(['--version']),
});
export type GenericAgentConfig = z.infer<typeof GenericAgentConfig>;

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
