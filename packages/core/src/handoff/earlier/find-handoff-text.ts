import { INTRODUCTION, TITLE } from '../render/render-handoff.js';

export interface FoundHandoff {
  readonly handoff: string;
  /** What stands around it. */
  readonly rest: string;
}

/** The handoff of devs in a text, such as the prompt that a fresh agent was started with. */
export function findHandoffText(text: string): FoundHandoff | undefined {
  const at = text.indexOf(MARK);
  const start = at === -1 ? -1 : text.lastIndexOf(TITLE, at);
  if (start === -1) return undefined;
  const { end, after } = endOf(text, start);
  const before = text.slice(0, start).replace(OPEN_FENCE, '');
  return { handoff: text.slice(start, end), rest: `${before}${text.slice(after)}`.trim() };
}

/** Whether a text holds a handoff of devs, also with line numbers in front, as tools show files. */
export const holdsHandoff = (text: string): boolean => text.includes(MARK);

const MARK = INTRODUCTION.slice(0, 70);
const OPEN_FENCE = /(?:^|\n)(`{3,})\w*\n$/;

/** At the end of the fence it stands in; else of its last section. */
function endOf(text: string, start: number): { readonly end: number; readonly after: number } {
  const fence = OPEN_FENCE.exec(text.slice(0, start))?.[1];
  const close = fence === undefined ? -1 : text.indexOf(`\n${fence}`, start);
  if (fence !== undefined && close !== -1) return { end: close, after: close + 1 + fence.length };
  const last = text.indexOf('\n## Where to find the rest\n', start);
  const lines = last === -1 ? null : /^\n## [^\n]*\n(?:- [^\n]*(?:\n|$))*/.exec(text.slice(last));
  const end = lines === null ? text.length : last + lines[0].length;
  return { end, after: end };
}
