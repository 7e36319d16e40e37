/** The agent cannot go on; the message says what to do. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
}
