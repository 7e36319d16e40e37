/** What is shown to who has no capability. */
export function Door({ problem }: { readonly problem?: string | undefined }) {
  return (
    <main className="door">
      <img src="/icon.svg" alt="" width="56" height="56" />
      <h1>Open this page with a link</h1>
      {problem === undefined ? null : <p role="alert">{problem}</p>}
      <p>A link works once, for a minute. Make one in a terminal:</p>
      <pre>
        <code>devs ui</code>
      </pre>
    </main>
  );
}
