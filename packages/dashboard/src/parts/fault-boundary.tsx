import { Component, type ReactNode } from 'react';

interface Props {
  readonly children: ReactNode;
}

/** A view that fails says so, in place of an empty page; what stands around it continues. */
export class FaultBoundary extends Component<Props, { readonly fault?: string }> {
  override state: { readonly fault?: string } = {};

  static getDerivedStateFromError(error: unknown): { readonly fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    return (
      <section className="empty" role="alert">
        <h1>This view cannot be shown</h1>
        <p>Its files may be of another version of devs than this page, or the supervisor is away.</p>
        <p className="quiet">{fault}</p>
        <p>
          <button type="button" className="primary" onClick={() => location.reload()}>
            Reload
          </button>
        </p>
      </section>
    );
  }
}
