import { styleText } from 'node:util';

type Paint = (text: string) => string;

/** Colours by meaning. */
export interface Palette {
  readonly title: Paint;
  readonly quiet: Paint;
  readonly model: Paint;
  readonly devs: Paint;
  readonly good: Paint;
  readonly bad: Paint;
}

const asIs: Paint = (text) => text;

export const plainPalette: Palette = { title: asIs, quiet: asIs, model: asIs, devs: asIs, good: asIs, bad: asIs };

export const colourPalette: Palette = {
  title: paint('bold'),
  quiet: paint('dim'),
  model: paint('cyan'),
  devs: paint('yellow'),
  good: paint('green'),
  bad: paint('red'),
};

function paint(format: Parameters<typeof styleText>[0]): Paint {
  // Whether the stream takes colours was decided before; styleText would ask the process's own stdout.
  return (text) => (text === '' ? '' : styleText(format, text, { validateStream: false }));
}
