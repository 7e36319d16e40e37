/** A small workflow that shows what there is; every line of it may go. */
export const STARTER = `name: starter
description: Say here what this workflow is for

# Who may be named by steps. Without \`agent\` the main agent does a step.
agents:
  reviewer:
    description: Reads the changes and says what is wrong
    cannot: [change files]

# What is done, in this order.
steps:
  - id: plan
    type: action # done once
    instructions: |
      Read what the request touches, and split the work into tasks.

  - id: work
    type: loop # the sub-steps of the loop \`work\` below, for each task
    on_fail: retry # or skip, or abort
    retries: 2

  - id: polish
    type: ralph # done n times
    n: 2
    context: compact # shorten the conversation first; clear begins a new one
    instructions: |
      Look at everything again, and improve what is weakest.

  - id: review
    type: action
    agent: reviewer
    context: clear
    instructions: |
      Compare the changes with the request, and list what is wrong.

loops:
  work:
    - id: implement
      instructions: |
        Task {task.id}: {task.title}
        {task.description}
    - id: verify
      on_fail: skip # gives up this task, and continues with the next one
      instructions: |
        Run the tests, and show that the task is done.
`;
