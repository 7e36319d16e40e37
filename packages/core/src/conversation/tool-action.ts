/** Effect of a tool call, in the same words for every agent. A call may have several effects, or no known one. */
export type ToolAction =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly purpose?: string;
      readonly inBackground?: boolean;
      /** Where it runs, where the call says so. */
      readonly folder?: string;
    }
  | { readonly kind: 'read'; readonly path: string; readonly lines?: LineRange }
  | {
      readonly kind: 'change';
      readonly path: string;
      readonly how: ChangeMode;
      /** The replaced text and its replacement; a new file has no replaced text. */
      readonly before?: string;
      readonly after?: string;
      readonly movedTo?: string;
    }
  | { readonly kind: 'search'; readonly pattern: string; readonly path?: string; readonly glob?: string }
  | { readonly kind: 'fetch'; readonly url: string }
  | { readonly kind: 'delegation'; readonly title: string; readonly prompt: string }
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'plan'; readonly text: string };

/** `written` is a whole file, new or replaced; `edited` a part of one. */
export type ChangeMode = 'written' | 'edited' | 'deleted' | 'moved';

/** Both ends are read; without `last`, up to the end of the file. */
export interface LineRange {
  readonly first: number;
  readonly last?: number;
}
