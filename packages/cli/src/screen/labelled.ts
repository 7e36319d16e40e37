const LABEL_COLUMNS = 13;

/** How many columns are left for what stands beside a label. */
export const bodyColumns = (columns: number): number => columns - LABEL_COLUMNS;

/** Lines beside a label: `  model    {"schema_version"…`. */
export function labelled(label: string, lines: readonly string[], paint: (text: string) => string): string[] {
  return lines.map((line, index) => {
    const margin = `  ${index === 0 ? label : ''}`.padEnd(LABEL_COLUMNS);
    return `${paint(margin)}${line}`.trimEnd();
  });
}
