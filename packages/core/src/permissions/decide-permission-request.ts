/** What an agent wants to do, as far as it says so. */
export interface PermissionRequest {
  /** As the agent names the tool. */
  readonly tool: string;
  readonly kind: 'command' | 'edit' | 'read' | 'other';
  /** The line that a shell would get. */
  readonly command?: string;
  /** Absolute, with links followed. */
  readonly paths: readonly string[];
  /** One of the tools that devs itself gives to agents. */
  readonly isOwnTool: boolean;
}

/** Each rule is the name of a tool, how a command begins, or a path with all below it: `./docs`, `~/notes` or `/srv/data`. `*` is everything. */
export interface PermissionRules {
  /** For what no rule and no default decides. */
  readonly mode: 'ask' | 'allow' | 'deny';
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export interface PermissionPlace {
  /** The worktree. */
  readonly folder: string;
  readonly home: string;
}

export type PermissionVerdict = 'allow' | 'ask' | 'deny';

/**
 * What the settings say to what an agent asks for. Pure. `deny` counts for more than `ask`, and that for more than `allow`; without a
 * rule, devs' own tools and what stays inside of the worktree are allowed, and `mode` decides the rest.
 */
export function decidePermissionRequest(
  request: PermissionRequest,
  { mode, allow, ask, deny }: PermissionRules,
  place: PermissionPlace,
): PermissionVerdict {
  const meets = (rules: readonly string[]) => rules.some((rule) => touches(rule, request, place));
  if (meets(deny)) return 'deny';
  if (meets(ask)) return 'ask';
  if (request.isOwnTool || allow.some((rule) => covers(rule, request, place))) return 'allow';
  return staysInside(request, place) ? 'allow' : mode;
}

/** Anything of it is meant by the rule: enough to be careful. */
function touches(rule: string, request: PermissionRequest, place: PermissionPlace): boolean {
  const path = pathOf(rule, place);
  if (rule === EVERYTHING) return true;
  if (path !== undefined) return request.paths.some((one) => isWithin(one, path));
  const parts = (request.command ?? '').split(OPERATORS);
  return rule === request.tool || parts.some((part) => beginsWith(part, rule));
}

/** All of it is meant by the rule. A command that does more than one thing is never meant by how it begins. */
function covers(rule: string, request: PermissionRequest, place: PermissionPlace): boolean {
  const path = pathOf(rule, place);
  if (path !== undefined) return isAboutFiles(request) && request.paths.every((one) => isWithin(one, path));
  if (rule === request.tool || rule === EVERYTHING) return true;
  const { command } = request;
  return command !== undefined && command.search(OPERATORS) === -1 && beginsWith(command, rule);
}

const EVERYTHING = '*';

/** Signs that let a shell run more than one program, or write a file. */
const OPERATORS = /[;&|<>`\n\r]|\$\(|\$\{/;

const isAboutFiles = ({ kind, paths }: PermissionRequest): boolean =>
  (kind === 'edit' || kind === 'read') && paths.length > 0;

/** Only files, and not those that decide what is run later. */
const staysInside = (request: PermissionRequest, { folder }: PermissionPlace): boolean =>
  isAboutFiles(request) &&
  request.paths.every((path) => isWithin(path, folder) && !GUARDED.test(path.slice(folder.length)));

const GUARDED = /(?:^|\/)(?:\.git|\.devs)(?:\/|$)/;

function pathOf(rule: string, { folder, home }: PermissionPlace): string | undefined {
  const path = rule.trim().replace(/\/+$/, '');
  if (path === '.') return folder;
  if (path.startsWith('./')) return `${folder}/${path.slice(2)}`;
  if (path === '~') return home;
  if (path.startsWith('~/')) return `${home}/${path.slice(2)}`;
  return path.startsWith('/') ? path : undefined;
}

/** A path that climbs is nowhere: it was not made absolute. */
const isWithin = (path: string, folder: string): boolean =>
  !/(?:^|\/)\.\.(?:\/|$)/.test(path) && (path === folder || path.startsWith(`${folder}/`));

/** By whole words: `npm test` is not how `npm tested` begins. */
function beginsWith(command: string, rule: string): boolean {
  const wanted = rule.trim().split(/\s+/);
  const words = command.trim().split(/\s+/);
  return rule.trim() !== '' && wanted.every((word, at) => words[at] === word);
}
