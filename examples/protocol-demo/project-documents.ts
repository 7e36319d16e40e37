/** The specs of the small project that the scripted model works on, as its team would have written them. */

export const TAS = `# Shop: technical architecture

<!-- summary -->
Money is counted in whole cents and never in floating point. Prices round half up,
once, on the invoice. No module but \`src/money.ts\` may divide an amount.
<!-- /summary -->

## Modules
\`cart\` adds up lines, \`money\` rounds, \`invoice\` prints.
`;

export const PRD = `# Shop: product requirements

## Summary
A customer sees the same total in the cart, at the checkout and on the invoice.

## Out of scope
Currencies other than the euro.
`;

/** Long enough that a model with a small output limit needs several answers to write it. */
export const INVOICE_MODULE = `import type { Cart, Line } from './cart.js';
import { asEuros, roundHalfUp } from './money.js';

const WIDTH = 48;
const RULE = '-'.repeat(WIDTH);

/** The invoice as plain text: one row for each line of the cart, the tax, and the total in bold. */
export function renderInvoice(cart: Cart, taxPercent: number): string {
  const net = cart.lines.reduce((sum, line) => sum + amountOf(line), 0);
  const tax = roundHalfUp((net * taxPercent) / 100); // the only place where an amount is rounded
  return [
    \`Invoice "\${cart.id}" for \${cart.customer}\`,
    RULE,
    ...cart.lines.map(renderLine),
    RULE,
    row('Net', net),
    row(\`Tax \${taxPercent} %\`, tax),
    row('Total', net + tax),
  ].join('\\n');
}

function renderLine(line: Line): string {
  const name = line.name.length > 28 ? \`\${line.name.slice(0, 27)}…\` : line.name;
  return row(\`\${line.quantity} × \${name}\`, amountOf(line));
}

/** How many articles are in the box, for the shipping label; gift cards are sent by mail and do not count. */
export function articlesIn(cart: Cart): number {
  return cart.lines.filter((line) => line.kind !== 'gift-card').reduce((sum, line) => sum + line.quantity, 0);
}

/** In cents: both factors are whole numbers, so nothing is lost. */
function amountOf(line: Line): number {
  if (!Number.isInteger(line.unitCents)) throw new TypeError(\`\${line.name}: \${line.unitCents} is not in whole cents\`);
  return line.quantity * line.unitCents;
}

/** For the accountant: the same rows for a spreadsheet, with amounts in cents and quotes doubled as RFC 4180 says. */
export function exportInvoice(cart: Cart): string {
  const quoted = (text: string) => \`"\${text.replaceAll('"', '""')}"\`;
  const rows = cart.lines.map((line) => [quoted(line.name), line.quantity, line.unitCents, amountOf(line)].join(','));
  return ['name,quantity,unit_cents,amount_cents', ...rows].join('\\r\\n');
}

const row = (label: string, cents: number): string =>
  \`\${label}\${asEuros(cents).padStart(WIDTH - label.length)}\`;
`;
