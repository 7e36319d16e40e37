import type { Operation } from './operations/define-operation.js';
import { isDoor, OPERATIONS, type OperationName } from './operations/operations.js';

/** Pure: the table of operations in Markdown, for the guide, with aligned columns as the formatter wants them. */
export function renderOperations(): string {
  const rows = (Object.entries(OPERATIONS) as [OperationName, Operation][]).map(([name, operation]) => [
    `\`${name}\``,
    `\`${operation.route}\``,
    isDoor(name) ? 'none' : `${operation.scope}${operation.agentOf === undefined ? '' : ', own agent'}`,
    operation.summary,
  ]);
  const head = ['operation', 'route', 'for', 'what'];
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((cells) => cells[at]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...rows.map(lineOf)].join('\n');
}
