import type { ToolAction } from '@devs/core';
import { splitCommand } from './split-command.js';

/**
 * Codex reads files and searches through the shell. The files that a simple command reads: a script with loops or
 * substitutions yields nothing rather than a guess.
 */
export function actionsInCommand(command: string): readonly ToolAction[] {
  let folder = '';
  return splitCommand(command).flatMap((pipeline) => {
    const [first] = pipeline;
    if (first?.[0] === 'cd' && first[1] !== undefined) {
      folder = joined(folder, first[1]);
      return [];
    }
    return pipelineActions(pipeline).map((action) => inFolder(action, folder));
  });
}

type Words = readonly string[];

function pipelineActions([first, second]: readonly Words[]): readonly ToolAction[] {
  if (first === undefined) return [];
  const actions = simpleActions(first);
  const [action] = actions;
  // `nl -ba file | sed -n '10,20p'` reads those lines only.
  const lines = second?.[0] === 'sed' ? linesOfSed(second) : undefined;
  return action?.kind === 'read' && lines !== undefined ? [{ ...action, lines }] : actions;
}

function simpleActions([program = '', ...args]: Words): readonly ToolAction[] {
  const files = args.filter((word) => !word.startsWith('-'));
  switch (program) {
    case 'cat':
    case 'nl':
    case 'bat':
    case 'less':
      return files.map((path) => ({ kind: 'read', path }));
    case 'sed':
      return sedActions(args);
    case 'head':
      return headActions(args);
    case 'tail':
      return files.filter((word) => !/^\+?\d+$/.test(word)).map((path) => ({ kind: 'read', path }));
    case 'rg':
    case 'grep':
      return searchActions(files);
    default:
      return [];
  }
}

function sedActions(args: Words): readonly ToolAction[] {
  const lines = linesOfSed(['sed', ...args]);
  const path = args.at(-1);
  return lines === undefined || path === undefined || args.length < 3 ? [] : [{ kind: 'read', path, lines }];
}

function linesOfSed([, flag, range]: Words) {
  const [, first, last] = flag === '-n' ? (/^(\d+)(?:,(\d+))?p$/.exec(range ?? '') ?? []) : [];
  return first === undefined ? undefined : { first: Number(first), last: Number(last ?? first) };
}

function headActions(args: Words): readonly ToolAction[] {
  const [, count] = /^(?:-n ?|-)(\d+) /.exec(`${args.join(' ')} `) ?? [];
  const path = args.at(-1);
  if (path === undefined || /^-?\d+$/.test(path) || path.startsWith('-')) return [];
  return [{ kind: 'read', path, lines: { first: 1, last: Number(count ?? 10) } }];
}

function searchActions([pattern, path]: Words): readonly ToolAction[] {
  if (pattern === undefined) return [];
  return [{ kind: 'search', pattern, ...(path === undefined ? {} : { path }) }];
}

function inFolder(action: ToolAction, folder: string): ToolAction {
  if (action.kind === 'read') return { ...action, path: joined(folder, action.path) };
  if (action.kind === 'search' && action.path !== undefined) return { ...action, path: joined(folder, action.path) };
  return action;
}

const joined = (folder: string, path: string) => (folder === '' || path.startsWith('/') ? path : `${folder}/${path}`);
