import type { Tool } from '../tool.js';
import { handoffWrite } from './tools/handoff-write.js';
import { taskList } from './tools/task-list.js';
import { workflowAdvance } from './tools/workflow-advance.js';
import { workflowContext } from './tools/workflow-context.js';
import { workflowFail } from './tools/workflow-fail.js';
import { workflowList } from './tools/workflow-list.js';
import { workflowRegisterArtefacts } from './tools/workflow-register-artefacts.js';
import { workflowSetTasks } from './tools/workflow-set-tasks.js';
import { workflowStart } from './tools/workflow-start.js';
import { workflowStatus } from './tools/workflow-status.js';
import type { WorkflowContext } from './workflow-context.js';

export const workflowTools: readonly Tool<WorkflowContext>[] = [
  workflowStart,
  workflowStatus,
  workflowSetTasks,
  workflowAdvance,
  workflowFail,
  workflowContext,
  workflowRegisterArtefacts,
  workflowList,
  taskList,
  handoffWrite,
];

/** Guidance for an agent before it uses the tools. */
export const WORKFLOW_INSTRUCTIONS = `devs leads you through a workflow, one step at a time.

1. Call workflow_status. It tells the current step: do what "instructions" says, and nothing beyond it. Where no workflow was started yet, call workflow_start first.
2. When a step is done, call workflow_advance with "output" (what was done, and what later steps need to know) and with the "position" of the last status. The answer is the next step.
3. When a step cannot be done, call workflow_fail with the reason; do not advance.
4. Where a loop step asks for tasks, call workflow_set_tasks with its id as "loopId". The loop then goes through them one by one.
5. Where "agent" is set, let that sub-agent do the step, within the "tools" and "cannot" of "agentConfig".
6. When an answer holds "contextAction", do what "message" says before anything else; the instructions of the step come after it.
7. When you have lost the thread, call workflow_status, and workflow_context for the outputs of earlier steps.
Continue until the status is "complete" or "failed".`;
