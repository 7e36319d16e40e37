/**
 * A text without what a service or a tool calls the parts of its answer, where those would be looked for as names: nobody works
 * on them.
 */
export const withoutFields = (text: string): string =>
  text.replace(/"[a-z]+(?:_[a-z]+)+"(?=\s*:)|<\/?[a-z]+(?:[_-][a-z]+)+>/g, ' ');
