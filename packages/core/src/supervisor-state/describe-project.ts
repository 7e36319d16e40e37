import type { EventLog } from '../ports/event-log.js';
import type { JsonObject } from '../ports/json.js';
import { redactJson } from '../redaction/redact-json.js';
import type { SupervisorState } from './supervisor-state.js';

/** Texts that describe a project. Missing ones are left out. */
export interface ProjectTexts {
  readonly folderName: string;
  readonly readme?: string | undefined;
  readonly packageJson?: string | undefined;
  /** Paths count from the root of the project. */
  readonly specs: readonly { readonly path: string; readonly text: string }[];
}

/** Only the beginning of a text is read, since it says what the text is about. */
const MAX_READ_CHARS = 20_000;
const MAX_CHARS = 300;
const MAX_NAME_CHARS = 80;
const MAX_SCRIPTS = 8;
const MAX_SCRIPT_CHARS = 24;

/** The project in prompts: name, purpose, commands and specs. Small, and the same for the same texts. */
export function describeProject({ folderName, readme = '', packageJson, specs }: ProjectTexts): JsonObject {
  const manifest = objectIn(packageJson);
  const name = textOf(manifest['name'], MAX_NAME_CHARS) ?? titleOf(readme) ?? folderName;
  const description = textOf(manifest['description'], MAX_CHARS) ?? paragraphOf(readme);
  const { scripts } = manifest;
  const commands = typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : [];
  const documents = specs.map(({ path, text }) => {
    const title = titleOf(text);
    return { path, ...(title !== undefined && { title }) };
  });
  return {
    name,
    ...(description !== undefined && { description }),
    ...(commands.length > 0 && {
      scripts: commands.slice(0, MAX_SCRIPTS).map((command) => cut(command, MAX_SCRIPT_CHARS)),
    }),
    ...(documents.length > 0 && { specs: documents }),
  };
}

const PROJECT_STREAM = 'project:main';

export interface ProjectRecord {
  readonly log: Pick<EventLog, 'append' | 'version'>;
  state(): Promise<Pick<SupervisorState, 'project'>>;
}

/** Stores the description of the project, unless it is already stored. A concurrent writer has read the same texts. */
export async function recordProject(store: ProjectRecord, project: JsonObject): Promise<void> {
  const kept = redactJson(project);
  const { project: known } = await store.state();
  if (JSON.stringify(known) === JSON.stringify(kept)) return;
  await store.log.append(PROJECT_STREAM, await store.log.version(PROJECT_STREAM), [
    { type: 'project.described', data: project },
  ]);
}

function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The first heading of a Markdown text. */
const titleOf = (markdown: string): string | undefined =>
  textOf(/^[ \t]*#{1,2}[ \t]+(.+)$/m.exec(withoutCode(markdown))?.[1], MAX_NAME_CHARS);

/** The first paragraph of prose: no heading, badge, list, table, quote or code. */
function paragraphOf(markdown: string): string | undefined {
  const paragraphs = withoutCode(markdown).split(/\n\s*\n/);
  return textOf(
    paragraphs.find(
      (paragraph) => /^[\p{L}\p{N}*_`"“]/u.test(paragraph.trim()) && !/^\s*(?:[-*+]|\d+\.)\s/.test(paragraph),
    ),
    MAX_CHARS,
  );
}

const withoutCode = (markdown: string): string =>
  markdown
    .slice(0, MAX_READ_CHARS)
    .replace(/^\ufeff/, '')
    .replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '')
    .replace(/<!--[\s\S]*?-->/g, '');

function textOf(value: unknown, most: number): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.trim().replaceAll(/\s+/g, ' ');
  return text === '' ? undefined : cut(text, most);
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…`;
