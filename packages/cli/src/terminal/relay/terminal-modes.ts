/** What a program has switched in the user's terminal, so that it can be switched back, or switched on in another one. */
export interface TerminalModes {
  /** Takes in one whole control sequence. */
  see(sequence: string): void;
  /** Puts a terminal back as it was before the program. */
  restoring(): string;
  /** Brings a terminal in which `known` is on already to the same modes. */
  applying(known: TerminalModes): string;
  /** Private modes that are not as they are in a fresh terminal. */
  readonly switched: ReadonlyMap<number, boolean>;
  readonly keyboardLevels: readonly string[];
  readonly isAlternate: boolean;
}

/** On in a fresh terminal; all others are off. */
const ON_AT_FIRST = new Set([7, 8, 25]);
/** Each of them is the other screen, which has to be left last. */
const ALTERNATE = [47, 1047, 1049];
const MOUSE = [9, 1000, 1002, 1003];
const MOUSE_SGR = 1006;

export const createTerminalModes = (): TerminalModes => new SeenModes();

class SeenModes implements TerminalModes {
  readonly switched = new Map<number, boolean>();
  keyboardLevels: string[] = [];
  private otherKeys = '';
  private cursorStyle = '';
  private region = '';
  private isKeypad = false;

  get isAlternate(): boolean {
    return ALTERNATE.some((mode) => this.switched.get(mode) === true);
  }

  see(sequence: string): void {
    if (sequence === '\u001b=' || sequence === '\u001b>') this.isKeypad = sequence === '\u001b=';
    const [, sign = '', params = '', end = ''] = CONTROL.exec(sequence) ?? [];
    if (sequence === '\u001bc' || end === '!p') this.reset();
    else if (sign === '?' && (end === 'h' || end === 'l'))
      for (const mode of params.split(';')) this.set(Number(mode), end === 'h');
    else if (end === 'u') this.keyboardLevels = levelsAfter(this.keyboardLevels, sign, params);
    else if (sign === '>' && end === 'm' && /^4(;|$)/.test(params)) this.otherKeys = params.slice(2).replace(/^0$/, '');
    else if (sign === '' && end === ' q') this.cursorStyle = params.replace(/^0$/, '');
    else if (sign === '' && end === 'r') this.region = params;
  }

  restoring(): string {
    const modes = [...this.switched].filter(([mode]) => !ALTERNATE.includes(mode));
    return [
      this.keyboardLevels.length === 0 ? '' : `\u001b[<${this.keyboardLevels.length}u`,
      this.otherKeys === '' ? '' : '\u001b[>4;0m',
      this.isKeypad ? '\u001b>' : '',
      this.region === '' ? '' : '\u001b7\u001b[r\u001b8',
      this.cursorStyle === '' ? '' : '\u001b[0 q',
      ...modes.map(([mode, on]) => privateMode(mode, !on)),
      '\u001b[0m',
      ...ALTERNATE.filter((mode) => this.switched.get(mode) === true).map((mode) => privateMode(mode, false)),
    ].join('');
  }

  applying(known: TerminalModes): string {
    const missing = [...this.switched].filter(([mode, on]) => known.switched.get(mode) !== on);
    const hasMouse = MOUSE.some((mode) => known.switched.get(mode) === true);
    // A screen keeps that the mouse is wanted, not how: the old protocol is not in use any more.
    const isGuessed = hasMouse && !this.switched.has(MOUSE_SGR) && known.switched.get(MOUSE_SGR) !== true;
    return [
      ...missing.filter(([mode]) => !ALTERNATE.includes(mode)).map(([mode, on]) => privateMode(mode, on)),
      isGuessed ? privateMode(MOUSE_SGR, true) : '',
      ...this.keyboardLevels.slice(known.keyboardLevels.length).map((level) => `\u001b[>${level}u`),
      this.otherKeys === '' ? '' : `\u001b[>4;${this.otherKeys}m`,
      this.isKeypad ? '\u001b=' : '',
      this.cursorStyle === '' ? '' : `\u001b[${this.cursorStyle} q`,
    ].join('');
  }

  private set(mode: number, on: boolean): void {
    if (on === ON_AT_FIRST.has(mode)) this.switched.delete(mode);
    else this.switched.set(mode, on);
  }

  private reset(): void {
    this.switched.clear();
    this.keyboardLevels = [];
    [this.otherKeys, this.cursorStyle, this.region, this.isKeypad] = ['', '', '', false];
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a control sequence begins with
const CONTROL = /^\u001b\[([?><=]?)([\d;:]*)([ !]?[a-zA-Z])$/;

const privateMode = (mode: number, on: boolean) => `\u001b[?${mode}${on ? 'h' : 'l'}`;

/** The keyboard protocol of kitty: programs push and pop what they want reported. */
function levelsAfter(levels: string[], sign: string, params: string): string[] {
  if (sign === '>') return [...levels, params];
  if (sign === '<') return levels.slice(0, -(Number(params) || 1));
  return sign === '=' && levels.length > 0 ? [...levels.slice(0, -1), params.split(';')[0] ?? ''] : levels;
}
