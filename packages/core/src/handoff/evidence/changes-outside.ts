import { commandParts } from './command-parts.js';

/**
 * Whether a command changes something outside this machine: a pull request, a comment, a release, a deployment. It
 * must not be run again as a check.
 */
export const changesOutside = (command: string): boolean =>
  commandParts(command).some(({ words }) => OUTSIDE.test(words.join(' ')));

const PROGRAMS: readonly RegExp[] = [
  /^gh api\b(?!.* graphql\b(?!.*mutation)).* (?:-f|-F|--field|--raw-field|--input|-X ?(?:POST|PUT|PATCH|DELETE)|--method[ =](?:POST|PUT|PATCH|DELETE))\b/,
  /^gh (?:pr|issue|release|repo|gist|workflow|run|label|secret|variable) (?:create|comment|edit|merge|close|reopen|review|delete|ready|run|rerun|upload|set|cancel)\b/,
  /^glab (?:mr|issue|release|ci) (?:create|note|update|merge|close|reopen|approve|delete|run)\b/,
  /^(?:curl|http|https|xh)\b.* (?:-X ?(?:POST|PUT|PATCH|DELETE)|--request[ =](?:POST|PUT|PATCH|DELETE)|-d|--data\S*|--json|-F|--form|-T|POST|PUT|PATCH|DELETE)\b/,
  /^(?:npm|pnpm|yarn|bun|cargo|poetry|uv|twine|gem|mvn|dotnet nuget) (?:publish|push|upload|deploy|unpublish|deprecate)\b/,
  /^(?:docker|podman)(?: compose| image)? push\b/,
  /^git (?:-C \S+ )?push\b/,
  /^kubectl\b.* (?:apply|create|delete|set|patch|scale|rollout (?:restart|undo)|edit|replace)\b/,
  /^(?:terraform|tofu|pulumi) (?:apply|destroy|up|import)\b/,
  /^helm (?:install|upgrade|uninstall|rollback)\b/,
  /^(?:vercel|netlify|fly|flyctl|wrangler|firebase|railway|heroku|serverless|sls)\b.*\b(?:deploy|publish|release|scale|secrets? (?:set|put))\b/,
  /^(?:aws|gcloud|az)\b.* (?:create|delete|put|update|deploy|start|stop|terminate|cp|sync|rm|mv)\S*\b/,
  /^(?:scp|rsync|ssh)\b.*\S+[@:]\S*/,
];

/** One expression: hundreds of commands are asked. */
const OUTSIDE = new RegExp(PROGRAMS.map(({ source }) => source).join('|'));
