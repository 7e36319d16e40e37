/** What a fresh agent is told that finds its handoff in a file. The next handoff knows it again by this. */
export const startingPrompt = (file: string): string =>
  `Read ${file} first: it is the handoff of the conversation before this one. Then continue the work that it describes.`;

/** The same; what it captures is the name of the file, without its ending. */
export const STARTING_PROMPT = /^Read \S*\.devs\/handoffs\/([\w.-]+)\.md first: [^\n]*$/;
