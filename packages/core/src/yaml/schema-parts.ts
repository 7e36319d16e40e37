import { z } from 'zod';
import type { Path } from './yaml-tree.js';

type Schema = z.core.$ZodType;

/** The schema of a value itself: without defaults, transformations and the leave to leave it out. */
export function innerOf(schema: Schema): Schema {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodLazy
  )
    return innerOf(schema.unwrap());
  if (schema instanceof z.ZodPipe) return innerOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
}

/** The schema of the part at a path; `undefined` where no schema of one part decides. */
export function schemaAt(schema: Schema, path: Path): Schema | undefined {
  const [step, ...rest] = path;
  const inner = innerOf(schema);
  if (step === undefined) return inner;
  const part = partOf(inner, step);
  return part === undefined ? undefined : schemaAt(part, rest);
}

function partOf(schema: Schema, step: PropertyKey): Schema | undefined {
  if (schema instanceof z.ZodObject) return Object.hasOwn(schema.shape, step) ? schema.shape[String(step)] : undefined;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}
