import type { ToolAnswer } from '@devs/drivers';

/** The model's message after an action. Scenarios match on it: the text is an API. */
export const observationText = ({ tool, status, output, errorDetail }: Omit<ToolAnswer, 'type' | 'id'>): string =>
  `OBSERVATION ${JSON.stringify({
    tool_name: tool,
    status,
    output,
    ...(errorDetail === undefined ? {} : { error_detail: errorDetail }),
  })}`;
