/** A workflow of the user's own, of one step. */
export const WORKFLOW = `name: one-step
description: Make one file
steps:
  - id: make
    type: action
    instructions: Make the file made.txt and commit it.
`;

const MAKE = `touch made.txt && git add made.txt && git -c user.name=agent -c user.email=agent@localhost commit -qm "Make the file" && echo "[made]"`;

/** Codex asks its user only where the model says that a command needs more than the sandbox. */
const ESCALATED = `  - when: { api: openai-responses, toolResult: { contains: Make the file made.txt } }
    reply:
      - tool:
          name: exec_command
          input: { cmd: '${MAKE}', sandbox_permissions: require_escalated, justification: The file is wanted }
`;

/**
 * What the scripted model says to either agent.
 *
 * @param {'allow' | 'ask'} permissions
 */
export const scenarioFor = (permissions) => `name: first-run
rules:
${permissions === 'ask' ? ESCALATED : ''}  - when: { toolResult: { contains: The workflow is complete } }
    reply: Done.
  - when: { toolResult: { contains: Make the file made.txt } }
    reply:
      - run: '${MAKE}'
  - when: { toolResult: { contains: "[made]" } }
    reply:
      - tool: { name: mcp__devs__workflow_advance, input: { output: made.txt is there } }
  - when: { toolResult: {} }
    reply:
      - delay: 6s
      - tool: { name: mcp__devs__workflow_status, input: {} }
  - when: { api: anthropic-messages, offers: Bash }
    reply:
      - tool: { name: mcp__devs__workflow_status, input: {} }
  # Codex begins before its servers have started, and a script cannot look whether they have.
  - when: { api: openai-responses }
    reply:
      - delay: 6s
      - tool: { name: mcp__devs__workflow_status, input: {} }
default: Done.
`;
