/** Why a workflow rejects its input. A value, because a caller may expect it. */
export interface WorkflowRefusal {
  readonly code: 'TASKS_NOT_SET' | 'UNKNOWN_LOOP' | 'LOOP_FINISHED' | 'TASKS_INVALID' | 'NOT_RUNNING';
  /** Says what to do instead. */
  readonly message: string;
}

export const refused = (code: WorkflowRefusal['code'], message: string) =>
  ({ ok: false, refusal: { code, message } }) as const;
