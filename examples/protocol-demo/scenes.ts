import type { SaopEnvelope } from '@devs/core';
import {
  answersWell,
  type Behaviour,
  hasOutputLimit,
  isCutOffBehind,
  losesTheThread,
  misnamesField,
  repeatsItselfInFence,
  wrapsInFence,
} from './behaviours.js';
import { INVOICE_MODULE } from './project-documents.js';

/** One turn of the show. */
export interface Scene {
  readonly title: string;
  readonly prompt: string;
  /** The model's intended envelope, which must be the outcome of the turn. */
  readonly meant: SaopEnvelope;
  readonly behaviour: Behaviour;
  readonly ends: 'COMPLETED' | 'USER_ESCALATION';
  /** How many model calls it takes: one, and one for each time that it is cut off or wrong. */
  readonly calls: number;
}

type Line = Omit<Scene, 'meant' | 'ends'> & {
  readonly reasoning: string;
  readonly plan: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly ends?: Scene['ends'];
};

const LINES: readonly Line[] = [
  {
    title: 'A good answer',
    prompt: 'Cart and invoice differ by one cent. Find out why.',
    behaviour: answersWell,
    calls: 1,
    reasoning: 'The sum is most likely rounded in two places.',
    plan: 'Read how the cart adds up its lines.',
    tool: 'read_file',
    args: { path: 'src/cart.ts' },
  },
  {
    title: 'Wrapped in prose and a Markdown fence',
    prompt: 'src/cart.ts rounds each line. See what the tests say about it.',
    behaviour: wrapsInFence,
    calls: 1,
    reasoning: 'Each line is rounded, then the sum is rounded again.',
    plan: 'Run the tests of the cart.',
    tool: 'run_command',
    args: { command: 'npm test -- cart', timeout_ms: 60_000 },
  },
  {
    title: 'Cut off in the middle of a string',
    prompt: 'The tests pass, so none covers it. Write one that shows the error.',
    behaviour: isCutOffBehind("expect(totalOf(['"),
    calls: 2,
    reasoning: 'Three times 0.335 is 1.005: rounded by line it gives 1.02, rounded once 1.01.',
    plan: 'Add a test with three such lines.',
    tool: 'write_file',
    args: {
      path: 'src/cart.test.ts',
      content: "it('rounds once', () => {\n  expect(totalOf(['0.335', '0.335', '0.335'])).toBe(101);\n});\n",
    },
  },
  {
    title: 'Cut off; the rest repeats itself, in a fence',
    prompt: 'The new test is red, as it should be. Correct the cart.',
    behaviour: repeatsItselfInFence('throw new Error(\\', 24),
    calls: 2,
    reasoning: 'Lines must stay exact until the invoice rounds their sum.',
    plan: 'Sum exact amounts and refuse those that are no numbers.',
    tool: 'edit_file',
    args: {
      path: 'src/cart.ts',
      edits: [
        { old_text: 'sum + round(line)', new_text: 'sum + exact(line)' },
        { old_text: 'return 0;', new_text: 'throw new Error("not a number");' },
      ],
      dry_run: false,
    },
  },
  {
    title: 'Cut off three times in one long string',
    prompt: 'The cart is right now. Let the invoice round, once, in one place.',
    behaviour: hasOutputLimit(690),
    calls: 4,
    reasoning: 'The whole module is short enough to be written anew.',
    plan: 'Write src/invoice.ts.',
    tool: 'write_file',
    args: { path: 'src/invoice.ts', content: INVOICE_MODULE },
  },
  {
    title: 'Complete, but with a field that does not exist',
    prompt: 'Both are written. Run all the tests.',
    behaviour: misnamesField('tool_name', 'tool'),
    calls: 2,
    reasoning: 'Cart and invoice changed, so everything that uses them must be run.',
    plan: 'Run all the tests.',
    tool: 'run_command',
    args: { command: 'npm test' },
  },
  {
    title: 'Beyond rescue',
    prompt: 'All green. Write down what changed.',
    behaviour: losesTheThread('## Fixed\\n\\n- The ca'),
    calls: 3,
    ends: 'USER_ESCALATION',
    reasoning: 'Users saw two different totals; the changelog should say that this is over.',
    plan: 'Add an entry to the changelog.',
    tool: 'write_file',
    args: { path: 'CHANGELOG.md', content: '## Fixed\n\n- The cart and the invoice show the same total.\n' },
  },
];

export const SCENES: readonly Scene[] = LINES.map(
  ({ title, prompt, behaviour, calls, ends = 'COMPLETED', ...line }, index) => ({
    title,
    prompt,
    behaviour,
    calls,
    ends,
    meant: {
      schema_version: '1.0',
      turn_index: index + 1,
      agent_id: 'coder-1',
      phase: 'implement',
      thought: { reasoning: line.reasoning, plan: line.plan },
      action: { tool_name: line.tool, arguments: line.args },
    },
  }),
);
