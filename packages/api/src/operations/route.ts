type Method = 'GET' | 'POST';

/** `POST /v1/runs/{run}/stop` */
export type Route = `${Method} /v1/${string}`;

export interface ParsedRoute {
  readonly method: Method;
  readonly path: string;
  /** Names in braces. */
  readonly parameters: readonly string[];
}

export function parseRoute(route: Route): ParsedRoute {
  const space = route.indexOf(' ');
  const path = route.slice(space + 1);
  return {
    method: route.slice(0, space) as Method,
    path,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  };
}

export interface PlacedInput {
  readonly path: string;
  readonly query: string;
  /** Missing where the operation has none. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Where the fields of an input go: into the path, and the rest into the query of a GET or the body of a POST. */
export function placeInput(route: ParsedRoute, input: Readonly<Record<string, unknown>>): PlacedInput {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
  const rest = Object.entries(input).filter(([name, value]) => !route.parameters.includes(name) && value !== undefined);
  if (route.method === 'POST') return { path, query: '', body: Object.fromEntries(rest) };
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return { path, query: query === '' ? '' : `?${query}` };
}
