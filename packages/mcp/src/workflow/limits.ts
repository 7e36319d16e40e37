/** Limit for one stored text. A workflow is no place for files. */
export const MAX_TEXT_CHARS = 200_000;

/** Of a name, an id or a position. */
export const MAX_NAME_CHARS = 300;

export const tooLong = (field: string): string =>
  `${field} must have at most ${MAX_TEXT_CHARS} characters; write it to a file and name the file`;
