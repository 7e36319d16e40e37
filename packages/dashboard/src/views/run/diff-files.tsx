import type { DiffFile } from '../../fold/parse-diff.js';
import { Printed } from '../../parts/printed.js';

/** The files of a difference, each with its changed lines. */
export const DiffFiles = ({ files }: { readonly files: readonly DiffFile[] }) =>
  files.length === 0 ? (
    <p className="quiet">It changed nothing.</p>
  ) : (
    files.map(({ name, added, removed, lines }) => (
      <details className="file" key={name} open={files.length < 8}>
        <summary>
          <code className="clip">{name}</code>
          <small className="number">
            <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
          </small>
        </summary>
        <Printed label={`Changes of ${name}`} className="diff">
          {lines.map(({ kind, text }, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of a text that does not change
              key={index}
              data-kind={kind}
            >
              {text || ' '}
            </span>
          ))}
        </Printed>
      </details>
    ))
  );
