const PREFIX = 'task:';

/** The stream with all events of a task. */
export const taskStream = (id: string): string => `${PREFIX}${id}`;

/** The id of the task whose stream it is, or `undefined` for the stream of something else. */
export const taskIdOf = (stream: string): string | undefined =>
  stream.startsWith(PREFIX) ? stream.slice(PREFIX.length) : undefined;
