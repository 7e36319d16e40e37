/** Whether a value that was kept somewhere still has the form that it was kept in. */
export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isNumber: Check = (value) => typeof value === 'number';
export const isFlag: Check = (value) => typeof value === 'boolean';

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const orNothing =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);

export const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

export const isEntryOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length === 2 && isText(value[0]) && check(value[1]);

export function isRecordOf(fields: Readonly<Record<string, Check>>): Check {
  const checks = Object.entries(fields);
  return (value) => isRecord(value) && checks.every(([name, check]) => check(value[name]));
}
