import { CliError } from '../../cli-error.js';
import { readTemplate } from '../read-template.js';

/** Of the place that it was taken from; the new file gets its own. */
const SCHEMA_LINE = /^# yaml-language-server:.*\r?\n/m;
/** With the lines that belong to its value. Nothing else in a template begins in the first column with this word. */
const NAME = /^name[ \t]*:.*(?:\r?\n[ \t]+\S.*)*/m;
/** What YAML takes for a text without quotes. */
const PLAIN = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][\w-]*$/i;

/** The text of a template with another name, and with all its comments. */
export async function renameTemplate(text: string, name: string): Promise<string> {
  const value = PLAIN.test(name) ? name : JSON.stringify(name);
  const renamed = text
    .replace(/^\ufeff/, '')
    .replace(SCHEMA_LINE, '')
    .replace(NAME, () => `name: ${value}`);
  const read = await readTemplate(renamed);
  if (read.ok && read.template.name === name) return renamed;
  throw new CliError('the template is written in a way in which devs cannot change its name. Copy the file by hand.');
}
