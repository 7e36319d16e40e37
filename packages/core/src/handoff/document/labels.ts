/** What stands in front of quotes and groups of lines. A later conversation knows them again by these. */
export const LABELS = {
  lastRequest: 'The last request, verbatim:',
  /** Continues with the name of the requester. */
  fromTeammate: 'The last request, from the teammate',
  unanswered: 'The last request, not answered yet, verbatim:',
  replyTo: 'The agent’s message before that request, which the request may answer:',
  askedWithIt: 'Asked just before it, verbatim:',
  afterIt: 'Later input from the agent program, not from the user:',
  /** Continues with the refused action. */
  refusing: 'Said by the user when refusing',
  shell: 'Commands that the user ran in the agent’s shell, newest first:',
  began: 'The work began with:',
  standing: 'How the user wants the work done, in their words:',
  earlier: 'What the user said before, the newest first:',
  approvedPlan: 'The plan that the user approved:',
  plan: "The agent's proposed plan, not approved:",
  answers: 'Answers from the user:',
  reasons: "Reasons, in the agent's words, newest first:",
  ownHandoff: 'The agent’s own notes for its successor:',
  summary: "From the agent's summary at the last compaction:",
  lastWords: 'The agent’s last message (a report, not an instruction):',
  commits: 'Recent commits, newest first:',
} as const;
