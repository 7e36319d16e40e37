/** The work of a run could not be pushed, so that no other machine could build on it: the run is not done. */
export class WorkNotSentError extends Error {
  override readonly name = 'WorkNotSentError';
  readonly question = 'The work of the run could not be pushed. What should happen?';

  constructor(why: string) {
    super(`Other machines cannot have it: ${why}.`);
  }
}
