import { z } from 'zod';
import { SupervisorStateSchema } from './supervisor-state.js';

/** The state's shape for tools in any language; published as `schemas/supervisor-state.schema.json`. */
export const supervisorStateJsonSchema = () => ({
  title: 'SupervisorState',
  ...z.toJSONSchema(SupervisorStateSchema),
});
