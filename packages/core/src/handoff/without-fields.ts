/**
 * A text without the field names of a service's or tool's answer, where those would count as names: no one works on
 * them.
 */
export const withoutFields = (text: string): string =>
  text.replace(/"[a-z]+(?:_[a-z]+)+"(?=\s*:)|<\/?[a-z]+(?:[_-][a-z]+)+>/g, ' ');
