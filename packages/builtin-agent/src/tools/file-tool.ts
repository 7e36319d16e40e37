import type { Sandbox } from '@devs/core';
import { z } from 'zod';

/** Result of a tool. `TIMEOUT_EXCEEDED` is an observation, not an error. */
export interface ToolOutcome {
  readonly output: string;
  readonly status?: 'ok' | 'error' | 'TIMEOUT_EXCEEDED';
  readonly errorDetail?: string;
  readonly exitCode?: number;
}

export interface ToolPlace {
  readonly root: string;
  /** Where commands run. */
  readonly sandbox: Sandbox;
  readonly mostOutputChars: number;
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
}

export interface FileTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly isReadOnly: boolean;
  call(raw: unknown, place: ToolPlace): Promise<ToolOutcome>;
}

/** Untyped input ends here. May reject; the model gets the reason. */
export function defineFileTool<Input>(tool: {
  readonly name: string;
  readonly description: string;
  readonly isReadOnly: boolean;
  readonly input: z.ZodType<Input>;
  run(input: Input, place: ToolPlace): Promise<ToolOutcome>;
}): FileTool {
  const { name, description, isReadOnly, input } = tool;
  return {
    name,
    description,
    isReadOnly,
    inputSchema: withoutDialect(z.toJSONSchema(input, { io: 'input' })),
    async call(raw, place) {
      const checked = input.safeParse(raw ?? {});
      if (checked.success) return tool.run(checked.data, place);
      const problems = checked.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
      return { status: 'error', output: '', errorDetail: problems.join('; ') };
    },
  };
}

const withoutDialect = ({ $schema: _, ...schema }: object & { $schema?: unknown }): object => schema;
