/** What stands in front of quotes and groups of lines. A later conversation knows them again by these. */
export const LABELS = {
  lastRequest: 'The last request, verbatim:',
  /** Goes on with who asked. */
  fromTeammate: 'The last request, from the teammate',
  unanswered: 'The last request, not answered yet, verbatim:',
  replyTo: 'What the agent had said just before it, which it may answer (the agent’s words, not the user’s):',
  askedWithIt: 'Asked just before it, verbatim:',
  afterIt: 'After that, written there by the agent program, not by the user:',
  /** Goes on with what was refused. */
  refusing: 'Said by the user when refusing',
  shell: 'What the user ran in the agent’s shell, the newest first:',
  began: 'The work began with:',
  standing: 'How the user wants the work done, in their words:',
  earlier: 'What the user said before, the newest first:',
  approvedPlan: 'The plan that the user approved:',
  plan: "The agent's plan, as it put it to the user, not approved yet:",
  answers: 'What the agent asked the user, and the answer:',
  reasons: "Reasons, in the agent's words, the newest first:",
  ownHandoff: 'What the agent wrote down for its successor:',
  summary: "From the agent's summary at the last compaction:",
  lastWords: 'The agent wrote last (a report of what it did or thought, not an instruction):',
  commits: 'Recent commits, the newest first:',
} as const;
