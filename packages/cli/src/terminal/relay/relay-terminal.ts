import type { HostedTerminal } from '@devs/terminals';
import { type AgentDisplay, createAgentDisplay } from './agent-display.js';
import { HostedView, type ShownTerminal } from './hosted-view.js';
import type { LocalEnd } from './local-terminal.js';
import { createKeyFilter, type KeyCommand, type PrefixKey } from './prefix-keys.js';

/** `undefined` where nothing is said about it. */
type Focus = 'gained' | 'lost' | undefined;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: what terminals say by themselves are control sequences
const REPORTS =
  /^(?:\u001b\[(?:[IO]|<[\d;]+[Mm]|[?>=]?[\d;:]*[cnRty]|\?[\d;]*[$u]y?)|\u001b[\]P_][^\u0007\u001b]*(?:\u0007|\u001b\\))+$/;
const FOCUS = /\u001b\[[IO]/g;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: what terminals say by themselves are control sequences

/** Whether it is the terminal that speaks, not its user: answers to questions, the mouse, that its window was left. */
export const isReport = (bytes: Buffer): boolean => REPORTS.test(bytes.toString('latin1'));

export function focusIn(bytes: Buffer): Focus {
  const last = bytes.toString('latin1').match(FOCUS)?.at(-1);
  return last === undefined ? undefined : last.endsWith('I') ? 'gained' : 'lost';
}

export interface RelayRequest extends ShownTerminal {
  readonly prefix: PrefixKey | undefined;
  /** What stands behind the agent's own title. */
  titleWord(): string;
  onTyped(): void;
  onRenew(): void;
}

export type RelayEnd =
  | { readonly kind: 'exited'; readonly terminal: HostedTerminal }
  | { readonly kind: 'detached' }
  | { readonly kind: 'host-lost' }
  | { readonly kind: 'ended'; readonly by: LocalEnd };

/** Connects the user's terminal with the hosted one, until either is gone or the user detaches. */
export interface Relay {
  readonly ended: Promise<RelayEnd>;
  /** Whether the user looks at it, if their terminal reports that. */
  readonly isFocused: boolean | undefined;
  readonly typedAt: number;
  notify(text: string): void;
  /** A line at the bottom, for a moment. */
  show(line: string): void;
  titleChanged(): void;
}

const CTRL_C = 0x03;

export async function relayTerminal(request: RelayRequest): Promise<Relay> {
  const { host, name, local, titleWord } = request;
  const ended = createEnd();
  const display = createAgentDisplay({ local, name, titleWord, onLineHidden: (count) => view.restore(count) });
  const view = new HostedView({ ...request, display, onExited: (terminal) => finish({ kind: 'exited', terminal }) });
  const input = createInput(request, { display, view, finish: (how) => finish(how) });
  const finish = (how: RelayEnd) => {
    if (view.isOver) return;
    view.end();
    if (how.kind === 'exited') display.settle();
    close();
    ended.resolve(how);
  };
  const giveBack = local.take({
    onInput: input.take,
    onResize: (size) => view.resize(size),
    onEnd: (by) => finish({ kind: 'ended', by }),
    farewell: () => display.farewell(view.hosted?.exit === undefined),
  });
  const forgetLoss = host.onLost(() => finish({ kind: 'host-lost' }));
  const close = () => {
    giveBack();
    view.isOver = true;
    forgetLoss();
  };
  try {
    await view.begin();
  } catch (error) {
    close();
    throw error;
  }
  return {
    ended: ended.promise,
    get isFocused() {
      return input.isFocused;
    },
    get typedAt() {
      return input.typedAt;
    },
    notify: (text) => view.isOver || display.notify(text),
    show: (line) => view.isOver || display.show(line),
    titleChanged: () => view.isOver || display.titleChanged(),
  };
}

function createEnd() {
  let resolve: (how: RelayEnd) => void = () => {};
  const promise = new Promise<RelayEnd>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

interface InputParts {
  readonly display: AgentDisplay;
  readonly view: HostedView;
  finish(how: RelayEnd): void;
}

/** What the user types: keys for devs, and everything else for the agent. */
function createInput({ manner, prefix, onTyped, onRenew }: RelayRequest, { display, view, finish }: InputParts) {
  const keys = createKeyFilter(prefix);
  let isFocused: boolean | undefined;
  let typedAt = 0;
  const obey = (command: KeyCommand) => {
    if (command === 'help') return display.show(helpLine(prefix, manner));
    display.hideLine();
    if (command === 'detach') finish({ kind: 'detached' });
    else if (command === 'redraw') view.redraw();
    else if (command === 'renew' && manner === 'use') onRenew();
    else display.bell();
  };
  const type = (bytes: Buffer) => {
    const focus = focusIn(bytes);
    if (focus !== undefined) isFocused = focus === 'gained';
    if (manner === 'watch') {
      if (bytes.includes(CTRL_C)) finish({ kind: 'detached' });
      return;
    }
    const isTyped = !isReport(bytes);
    if (isTyped) {
      typedAt = Date.now();
      onTyped();
      display.hideLine();
      void view.reclaim().catch(ignore);
    }
    view.write(bytes, isTyped);
  };
  return {
    get isFocused() {
      return isFocused;
    },
    get typedAt() {
      return typedAt;
    },
    take(bytes: Buffer) {
      for (const part of keys.push(bytes)) {
        if (view.isOver) return;
        if (part.kind === 'input') type(part.bytes);
        else if (part.kind === 'prefix') display.show(helpLine(prefix, manner));
        else obey(part.command);
      }
    },
  };
}

function helpLine(prefix: PrefixKey | undefined, manner: RelayRequest['manner']): string {
  const key = prefix?.label ?? '';
  const renew = manner === 'use' ? 'r renew · ' : '';
  return `devs: d detach · ${renew}l redraw · ? help · ${key} once more sends it · Esc nothing`;
}

const ignore = () => {};
