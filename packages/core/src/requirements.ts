/**
 * Requirements covered by the code so far. Tests cite the ids in their titles, as in `it('[3_MCP-TAS-089] refreshes on
 * turn 5')`; a test of the repository fails on an uncited id.
 */
export const REQUIREMENTS = {
  'TAS-035': 'All traffic between agents and orchestrator follows SAOP.',
  '3_MCP-TAS-071': 'At most two formatting corrections for a malformed answer, then the user is asked.',
  '3_MCP-TAS-072': 'A cut-off envelope is resumed from its last valid token.',
  '3_MCP-TAS-073': 'A tool that takes over 300 s gives a TIMEOUT_EXCEEDED observation, and the run goes on.',
  '3_MCP-TAS-088': 'Turn indices are tracked per node.',
  '3_MCP-TAS-089': 'After 5 turns in one node the TAS and PRD summaries are injected again.',
  I1: 'The package works in the checkout and in a local install, and not with `-g`: nested bundled dependencies are empty.',
} as const;

/** How systems like this one have failed before, and ours must not. */
export const KNOWN_FAILURES = {
  P1: 'A "repair" of cut JSON gives a wrong value or a silently shortened one.',
  P2: 'A cut between two array elements looks complete; only the stop reason tells.',
  P3: 'prefix + completion breaks when the model repeats the tail, restarts, adds a fence or prose, or is cut again.',
  P4: 'Cuts inside an escape, a surrogate pair, a literal or a number, or after a byte-order mark.',
  P5: 'The broken answer is sent back to the model again and again.',
  P6: 'A part that the model repeats in another layout is taken for new content: a wrong command would run.',
  P7: 'An inner object told again is nested into itself and then closed by the next answer.',
  W1: 'A context action is asked for again and again, because only some tools mark it.',
  W2: 'A context action that failed is reported as done; nobody looks whether it happened.',
  W3: 'After a restart of the server its tools say "not started" although the state is stored.',
  W4: 'A damaged workflow-state.json is silently overwritten and the workflow starts at step 1.',
  W5: 'Two servers on one worktree overwrite each other; artefacts registered from outside are lost.',
  W6: 'The description of a task is never filled in; a title with `$&` corrupts the instructions.',
  W7: 'Ids and output keys collide; tasks set again leave a stale pointer; loops without tasks pass in silence.',
  W8: 'on_fail, depends_on, tools, cannot and the status failed are accepted and do nothing.',
  W9: 'All outputs of all steps are returned at once, without limit.',
  W10: 'A duplicate request advances twice.',
  H1: 'The agent is made to forget everything before it is asked what it knows.',
  H2: 'A prompt is typed while the agent is busy, or Enter is lost before the prompt is drawn.',
  H3: 'A handoff is taken in the middle of a sentence, or without what follows its first sub-heading.',
  H4: 'The original system prompt is gone after the first renewal, or grows with each.',
  H5: 'Handoff text reaches a shell through a commit message and is executed.',
  H6: 'What is saved before a renewal publishes temporary files, runtime data and secrets.',
  H7: 'When the killed terminal exits with an error the task is both released and carried: two agents do it.',
  H8: 'Pressure is read from words on the screen, and fires on a text that mentions them.',
  H9: "The threshold of the agent's own compaction is set by a name that does not exist, or below ours.",
  H10: 'A failed respawn loses terminal and handoff; the count of renewals never falls again.',
  H11: 'Killing the launcher leaves the agent itself and its children running.',
  H12: 'A saturated conversation is resumed for ever and reported as completed.',
  H13: 'Idle is taken for done: a terminal that waits for a permission is marked complete.',
  H14: 'Usage is counted double, or the sum over a turn is taken for the size of the context.',
  H15: 'One compaction or renewal after another, without a look at whether anything came of the last.',
  H16: 'The supervisor crashes or is upgraded, and every agent dies with it, in the middle of its work.',
  H17: 'Keys are typed into a terminal while its user is typing.',
  H18: 'After a respawn the model, permission mode, MCP servers or hooks are not what they were.',
  H19: 'A crashed agent with plenty of context left is replaced instead of resumed.',
  H20: 'A dialog is answered blindly.',
  H21: 'Text from a hook is thought to be gone after the call and piles up in every later request.',
  H22: 'The last kilobytes that an agent printed before it exited never arrive.',
  H23: 'A trust dialog is taken for a draft; the prompt is tried twice a second for ever and stored each time; nobody is asked.',
  H24: '`answer` says it was answered, closes the question, and nothing reached the agent.',
  H26: 'Flags of the start are lost by a resume.',
  R2: 'A supervisor that gives up leaves its agents running, without budget or limits.',
  R3: "Our own paste is taken for the user's draft; everything waits for it.",
  S1: 'Recent tasks appear twice; the result is stored and never shown; entries without a report crash the builder.',
  S2: 'Take from the queue, then save: a crash in between loses the task.',
  S3: 'The whole state is overwritten without a version check.',
  S4: 'A waiting time is computed and never waited for.',
  S5: 'Words in a task, such as "option" or a question mark, change what its prompt shows.',
  R1: 'A prepared statement that found the database busy is never reset; two of them wedge the process for ever.',
  F1: 'A run goes on on another machine without its commits; a dependent task begins without the work that it depends on; nothing is said.',
  F2: 'Every follower reads the whole log from its beginning.',
  F3: 'A clock that is ahead takes a live lease.',
  F4: "Every project shares one Redis prefix: a task is done in another project's repository.",
  S6: 'Text from an agent is put into the next prompt as if the user had said it.',
  S8: 'A repository brings the model, a state database, a workflow with a shipped name, a link to a private key: all believed.',
  S9: 'The trust gate answers "not foreign" when git does not answer.',
  S10: 'An agent answers its own permission through the socket of the user.',
  S11: 'An agent swaps `.git` in its worktree; our next `git status` runs its filter.',
} as const;

/** Compares a manifest with the ids that test titles cite: unproven ids, and unknown citations. */
export function checkRequirements(
  manifest: Readonly<Record<string, string>>,
  cited: readonly string[],
): { readonly unproven: readonly string[]; readonly unknown: readonly string[] } {
  return {
    unproven: Object.keys(manifest).filter((id) => !cited.includes(id)),
    unknown: [...new Set(cited)].filter((id) => !Object.hasOwn(manifest, id)),
  };
}
