/** Text without what a terminal would obey: colours, movements, titles, the clipboard, and other controls. */
export function stripTerminal(text: string): string {
  if (!OBEYED.test(text)) return text;
  return text.replace(SEQUENCES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '');
}

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** A string that a terminal is given ends where it says so, or else with its line: what follows is text again. */
const SEQUENCES =
  /(?:\u001b\[|\u009b)[0-9:;<=>?]*[ -/]*[@-~]|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b(?:[ -/]+[0-~]|[0-~])/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: they are what is looked for
