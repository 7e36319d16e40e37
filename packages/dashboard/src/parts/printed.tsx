import type { ReactNode, Ref } from 'react';

interface PrintedProps {
  /** What it is, for who hears the page. */
  readonly label: string;
  readonly className?: string;
  readonly ref?: Ref<HTMLPreElement>;
  readonly children: ReactNode;
}

/** Text as it was printed. It may be longer or wider than its place, and scrolls by keys too. */
export const Printed = ({ label, ...rest }: PrintedProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
  // biome-ignore lint/a11y/useSemanticElements: no element but this one keeps lines as they are
  <pre role="group" aria-label={label} tabIndex={0} {...rest} />
);
