import type { SettingMapping, SettingValue } from './setting-value.js';
import { SETTINGS } from './settings-keys.js';

type Schema = Readonly<Record<string, unknown>>;

/** The shape of `.devs/config.yaml` for editors; published as `workflows/config.schema.json`. */
export const settingsJsonSchema = (): Schema => ({
  $schema: 'http://json-schema.org/draft-07/schema#', // the newest that the YAML plugins of all editors know
  title: 'devs configuration',
  ...mappingSchema(SETTINGS),
});

function mappingSchema({ keys, required = [], unless }: SettingMapping): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(keys).map(([name, { description, value }]) => {
        const schema = valueSchema(value);
        const isNeeded = required.includes(name) || name === unless;
        return [name, { description, ...(isNeeded ? schema : orNothing(schema)) }];
      }),
    ),
    ...(required.length > 0 && unless === undefined && { required }),
    ...(unless !== undefined && { anyOf: [{ required: [unless] }, { required }] }),
    additionalProperties: false,
  };
}

/** A key may have no value. */
function orNothing(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  return { type: [type, 'null'], ...(Array.isArray(values) && { enum: [...values, null] }), ...rest };
}

function valueSchema(value: SettingValue): Schema {
  switch (value.kind) {
    case 'text':
    case 'pattern':
      return { type: 'string', pattern: '\\S' };
    case 'choice':
      return { type: 'string', enum: value.values };
    case 'flag':
      return { type: 'boolean' };
    case 'count':
      return { type: 'integer', minimum: value.least, maximum: value.most };
    case 'amount':
      return { type: 'number', exclusiveMinimum: 0, maximum: value.most };
    case 'texts':
    case 'command':
      return { type: 'array', items: { type: 'string', pattern: '\\S' } };
    case 'commands':
      return { type: 'array', items: valueSchema({ kind: 'command' }) };
    case 'mapping':
      return mappingSchema(value);
    case 'list':
      return { type: 'array', items: mappingSchema(value.of) };
    case 'named':
      return {
        type: 'object',
        propertyNames: { pattern: '^[a-z][a-z0-9-]*$' },
        additionalProperties: mappingSchema(value.of),
      };
  }
}
