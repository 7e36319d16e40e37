import { ApiError, type Input, type OperationName, type Output, PROBLEMS, parseRoute, placeInput } from '@devs/api';

/**
 * The operations that the page uses, with their routes; a test compares them with the table. The table itself, with its schemas, is
 * larger than all of the page.
 */
export const ROUTES = {
  'status.get': 'GET /v1/status',
  'runs.list': 'GET /v1/runs',
  'runs.start': 'POST /v1/runs',
  'runs.get': 'GET /v1/runs/{run}',
  'runs.stop': 'POST /v1/runs/{run}/stop',
  'runs.resume': 'POST /v1/runs/{run}/resume',
  'runs.diff': 'GET /v1/runs/{run}/diff',
  'runs.merge': 'POST /v1/runs/{run}/merge',
  'handoffs.list': 'GET /v1/runs/{run}/handoffs',
  'handoffs.get': 'GET /v1/runs/{run}/handoffs/{number}',
  'questions.answer': 'POST /v1/questions/{question}/answer',
  'terminals.list': 'GET /v1/terminals',
  'terminals.send': 'POST /v1/terminals/{terminal}/send',
  'terminals.interrupt': 'POST /v1/terminals/{terminal}/interrupt',
  'terminals.keys': 'POST /v1/terminals/{terminal}/keys',
  'terminals.renew': 'POST /v1/terminals/{terminal}/renew',
  'terminals.undo': 'POST /v1/terminals/{terminal}/undo',
  'terminals.stop': 'POST /v1/terminals/{terminal}/stop',
  'terminals.resume': 'POST /v1/terminals/{terminal}/resume',
  'terminals.conversation': 'GET /v1/terminals/{terminal}/conversation',
  'terminals.screen': 'GET /v1/terminals/{terminal}/screen',
  'projects.list': 'GET /v1/projects',
  'machines.list': 'GET /v1/machines',
  'tasks.add': 'POST /v1/tasks',
  'tasks.change': 'POST /v1/tasks/{task}/change',
  'recall.search': 'GET /v1/recall',
  'workflows.list': 'GET /v1/workflows',
  'workflows.get': 'GET /v1/workflows/{workflow}',
  'settings.get': 'GET /v1/settings',
  'settings.change': 'POST /v1/settings/change',
  'doctor.run': 'GET /v1/doctor',
  'door.login': 'POST /v1/login',
} as const satisfies Partial<Record<OperationName, Parameters<typeof parseRoute>[0]>>;

export type PageOperation = keyof typeof ROUTES;

/** Asks the supervisor that served the page: its answers are of the same version, and trusted. */
export interface PageClient {
  /** Rejects with an `ApiError` where it is refused, or the supervisor cannot be reached. */
  call<Name extends PageOperation>(name: Name, input: Input<Name>): Promise<Output<Name>>;
}

export const createPageClient = (token: () => string | undefined): PageClient => ({
  async call(name, input) {
    const route = parseRoute(ROUTES[name]);
    const { path, query, body } = placeInput(route, input as Readonly<Record<string, unknown>>);
    const held = token();
    const answer = await fetch(`${path}${query}`, {
      method: route.method,
      headers: {
        ...(held === undefined ? {} : { authorization: `Bearer ${held}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      credentials: 'omit',
      cache: 'no-store',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new ApiError('unavailable', 'the supervisor cannot be reached', { cause: error });
    });
    const value = (await answer.json().catch(() => ({}))) as { readonly code?: string; readonly message?: string };
    if (answer.ok) return value as never;
    const code = value.code !== undefined && value.code in PROBLEMS ? (value.code as ApiError['code']) : 'failed';
    throw new ApiError(code, value.message ?? `the supervisor answered with status ${answer.status}`);
  },
});
