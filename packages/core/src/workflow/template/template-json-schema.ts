import { ID_PATTERN, type Key, type Mapping, MOST_STEPS, TEMPLATE, type Value } from './template-keys.js';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The shape of a template for editors; published as `workflows/schema.json`. Only the loader checks what it cannot
 * express, such as that an agent exists.
 */
export const workflowTemplateJsonSchema = (): Schema => ({
  $schema: 'http://json-schema.org/draft-07/schema#', // the newest that the YAML plugins of all editors know
  title: 'devs workflow template',
  ...mappingSchema(TEMPLATE),
});

function mappingSchema({ keys }: Mapping): Schema {
  const entries = Object.entries(keys);
  const rules = entries.flatMap(([name, key]) => rulesFor(name, key));
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, key]) => [name, keySchema(key)])),
    required: entries.flatMap(([name, { required }]) => (required === true ? [name] : [])),
    additionalProperties: false,
    ...(rules.length > 0 && { allOf: rules }),
  };
}

const keySchema = ({ description, value }: Key): Schema => ({ description, ...valueSchema(value) });

function valueSchema(value: Value): Schema {
  switch (value.kind) {
    case 'text':
      return { type: 'string', pattern: '\\S' };
    case 'id':
    case 'reference':
      return { type: 'string', pattern: ID_PATTERN };
    case 'choice':
      return { type: 'string', enum: value.values };
    case 'flag':
      return { type: 'boolean' };
    case 'count':
      return { type: 'integer', minimum: value.least, maximum: value.most };
    case 'texts':
      return { type: 'array', items: valueSchema({ kind: 'text' }) };
    case 'mapping':
      return mappingSchema(value);
    case 'list':
      return { type: 'array', minItems: 1, maxItems: MOST_STEPS, items: valueSchema(value.of) };
    case 'named':
      return {
        type: 'object',
        propertyNames: { pattern: ID_PATTERN },
        additionalProperties: valueSchema(value.of),
      };
  }
}

/** Rules for a key beyond its value: which types of step require or forbid it, and its companions. */
function rulesFor(name: string, { required, only, beside }: Key): readonly Schema[] {
  return [
    ...(Array.isArray(required) ? [{ if: { not: isOfType(required) }, else: { required: [name] } }] : []),
    ...(only === undefined ? [] : [{ if: isOfType(only.types), else: { properties: { [name]: false } } }]),
    ...(beside === undefined ? [] : [{ dependencies: { [name]: hasValue(beside) } }]),
  ];
}

const isOfType = (types: readonly string[]): Schema => ({
  properties: { type: { enum: types } },
  required: ['type'],
});

const hasValue = ({ key, value }: NonNullable<Key['beside']>): Schema => ({
  properties: { [key]: { const: value } },
  required: [key],
});
