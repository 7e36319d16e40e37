import { z } from 'zod';
import type { Operation } from './operations/define-operation.js';
import { isDoor, OPERATIONS, type OperationName } from './operations/operations.js';
import { parseRoute } from './operations/route.js';
import { Problem } from './problem.js';

type Schema = Record<string, unknown>;

const DESCRIPTION = `The API of the devs supervisor, over its Unix socket and, for the page, on 127.0.0.1.
Events, terminal output and input go over the WebSocket at /v1/live; see docs/guides/api.md.`;

/** Pure: the OpenAPI 3.1 document of the table. Its schemas are JSON Schema 2020-12, which zod writes by itself. */
export function openApiDocument(): Schema {
  const components: Record<string, Schema> = {};
  const named = Object.entries(OPERATIONS) as [OperationName, Operation][];
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [name, operation] of named) {
    const { method, path } = parseRoute(operation.route);
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(name, operation, components) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'devs', version: '1', description: DESCRIPTION },
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function describe(name: OperationName, operation: Operation, components: Record<string, Schema>): Schema {
  const { parameters } = parseRoute(operation.route);
  const input = schemaOf(operation.input, 'input', components);
  const required = (input.required ?? []) as readonly string[];
  const fields = Object.entries((input.properties ?? {}) as Record<string, Schema>);
  const isInPath = (field: string) => parameters.includes(field);
  const isPost = operation.route.startsWith('POST');
  const rest = fields.filter(([field]) => !isInPath(field));
  return {
    operationId: name,
    summary: operation.summary,
    'x-scope': isDoor(name) ? 'none' : operation.scope,
    ...(operation.agentOf === undefined ? {} : { 'x-agent': `its own ${operation.agentOf}` }),
    ...(isDoor(name) ? { security: [] } : {}),
    parameters: fields
      .filter(([field]) => isInPath(field) || !isPost)
      .map(([field, schema]) => parameter(field, schema, isInPath(field), required)),
    ...(isPost && rest.length > 0 ? { requestBody: body(rest, required) } : {}),
    responses: {
      200: { description: 'Done.', content: json(schemaOf(operation.output, 'output', components)) },
      default: { description: 'Refused.', content: json(schemaOf(Problem, 'output', components)) },
    },
  };
}

const parameter = (name: string, schema: Schema, isInPath: boolean, required: readonly string[]): Schema => ({
  name,
  in: isInPath ? 'path' : 'query',
  required: isInPath || required.includes(name),
  schema,
});

const body = (fields: readonly [string, Schema][], required: readonly string[]): Schema => ({
  required: true,
  content: json({
    type: 'object',
    properties: Object.fromEntries(fields),
    required: fields.map(([field]) => field).filter((field) => required.includes(field)),
    additionalProperties: false,
  }),
});

const json = (schema: Schema): Schema => ({ 'application/json': { schema } });

/** Schemas with an id become components. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Record<string, Schema>): Schema {
  const { $schema: _, $defs = {}, ...own } = relocated(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  Object.assign(components, $defs);
  const id = own.id;
  if (typeof id !== 'string') return own;
  components[id] = own;
  return { $ref: `#/components/schemas/${id}` };
}

/** References of JSON Schema, as OpenAPI writes them. */
const relocated = (schema: Schema): Schema & { $defs?: Record<string, Schema> } =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
