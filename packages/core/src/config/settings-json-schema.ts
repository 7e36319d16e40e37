import { z } from 'zod';
import { SettingsSchema } from './settings.js';

/** The shape of `.devs/config.yaml` for editors; published as `workflows/config.schema.json`. */
export const settingsJsonSchema = (): object => ({
  title: 'devs configuration',
  // the newest draft that the YAML plugins of all editors know
  ...z.toJSONSchema(SettingsSchema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema }) => mayLackValues(jsonSchema),
  }),
});

/** A key may have no value, unless it is needed. */
function mayLackValues(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.type === 'object') delete schema.default; // a group without keys says nothing
  const needed = [schema, ...(schema.anyOf ?? [])].flatMap(({ required = [] }) => required);
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    if (typeof part !== 'object' || typeof part.type !== 'string' || needed.includes(name)) continue;
    Object.assign(part, {
      type: [part.type, 'null'],
      ...(part.enum === undefined ? {} : { enum: [...part.enum, null] }),
    });
  }
}
