import type { z } from 'zod';
import { parseArguments } from './arguments/parse-arguments.js';
import type { ObjectSchema, Tool, ToolAnnotations, ToolCall } from './tool.js';

export interface ToolDefinition<Context, Input extends z.ZodObject, Output extends ObjectSchema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  /** Default texts say `count must be a number`; `z.number({ error: '…' })` replaces the text for one argument. */
  readonly input: Input;
  readonly output: Output;
  run(input: z.output<Input>, call: ToolCall<Context>): z.input<Output> | Promise<z.input<Output>>;
}

/** A tool as a value. The arguments are parsed here, once: `run` gets what `input` promises. */
export function defineTool<Context, Input extends z.ZodObject, Output extends ObjectSchema>(
  definition: ToolDefinition<Context, Input, Output>,
): Tool<Context> {
  const { run, ...description } = definition;
  return {
    ...description,
    // The server checks the answer against `output`; until then it is only said to be an object.
    call: async (rawArguments, call) => (await run(parseArguments(definition.input, rawArguments), call)) as never,
  };
}
