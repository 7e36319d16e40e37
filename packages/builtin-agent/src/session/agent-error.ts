/** The agent cannot continue; the message says what to do. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
}
