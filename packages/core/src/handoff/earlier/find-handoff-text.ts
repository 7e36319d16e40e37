import { SECTIONS } from '../document/handoff-document.js';
import { INTRODUCTION, TITLE } from '../opening.js';
import { renderLeftOut } from '../render/left-out.js';

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
  const end = endOfLastSection(text, start);
  return { end, after: end };
}

/** After the entries of its last section. A heading within a fence is quoted text. */
function endOfLastSection(text: string, start: number): number {
  let fence: string | undefined;
  let isLast = false;
  for (let at = start; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const line = text.slice(at, next === -1 ? text.length : next);
    if (isLast && !/^(?:- |\(\d+ more left out\)$)/.test(line)) return behindLeftOut(text, at);
    if (line === LAST_SECTION && fence === undefined) isLast = true;
    if (fence !== undefined) fence = line === fence ? undefined : fence;
    else fence = /^`{3,}/.exec(line)?.[0];
    at = next === -1 ? text.length : next + 1;
  }
  return text.length;
}

/** What the whole had no room for may be said at its end. */
function behindLeftOut(text: string, at: number): number {
  const lead = `\n${renderLeftOut([]).slice(0, -1)}`;
  if (!text.startsWith(lead, at)) return at;
  const end = text.indexOf('\n', at + lead.length);
  return end === -1 ? text.length : end;
}

const LAST_SECTION = `## ${SECTIONS.rest}`;
