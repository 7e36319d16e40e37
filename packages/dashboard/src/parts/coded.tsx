/** A text with code between backticks, as commands print it. */
export const Coded = ({ text, className }: { readonly text: string; readonly className?: string }) => (
  <p className={className}>
    {text.split('`').map((part, index) =>
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text that does not change
      index % 2 === 1 ? <code key={index}>{part}</code> : <span key={index}>{part}</span>,
    )}
  </p>
);
