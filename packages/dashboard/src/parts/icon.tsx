/** Lines of 24 × 24, drawn for this page. */
const LINES = {
  grid: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  inbox: 'M4 13h4l1.5 3h5L16 13h4M4 13l2.5-8h11L20 13v6H4z',
  tasks: 'M4 6l1.5 1.5L8 5M4 12l1.5 1.5L8 11M4 18l1.5 1.5L8 17M11 6.500h9M11 12.500h9M11 18.500h9',
  log: 'M5 4h14v16H5zM8 8h8M8 12h8M8 16h5',
  cost: 'M12 3v18M16.500 7.500c-.8-1.600-2.500-2.300-4.500-2.300-2.500 0-4.300 1.200-4.300 3.200 0 4.600 9 2.200 9 6.900 0 2.200-2 3.500-4.700 3.500-2.300 0-4.200-.9-5-2.700',
  plus: 'M12 5v14M5 12h14',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.500v5M9 14.500v5',
  terminal: 'M4 5h16v14H4zM7.500 9l3 3-3 3M12.500 15h4',
  close: 'M6 6l12 12M18 6L6 18',
} as const;

export type IconName = keyof typeof LINES;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={LINES[name]} />
  </svg>
);
