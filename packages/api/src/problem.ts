import { z } from 'zod';
import { PROBLEMS, type ProblemCode } from './api-error.js';

/** Body of every answer that is not 200. */
export const Problem = z
  .object({
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    message: z.string().describe('For people.'),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof Problem>;
