import { useEffect, useRef } from 'react';

/** Opens as a modal dialog; Escape and a click beside it close it. */
export function Modal({
  label,
  onClose,
  children,
}: {
  readonly label: string;
  onClose(): void;
  readonly children: React.ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="modal" aria-label={label} closedby="any" onClose={onClose}>
      {children}
    </dialog>
  );
}
