/** Whether a machine with these labels has all that a task needs. Pure. */
export const hasLabels = (labels: readonly string[], needs: readonly string[] = []): boolean =>
  needs.every((need) => labels.includes(need));
