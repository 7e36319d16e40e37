import fc from 'fast-check';
import type { GitEvidence } from '../evidence/git-evidence.js';
import { ledgerOf } from '../ledger/add-to-ledger.js';
import type { HandoffEvidence } from '../verify/wanted-items.js';
import { asked, edited, eventsOf, ran, said, type Told } from './transcript.js';

/** Words with all that could break a list, a fence or a comparison, and with what looks like a secret. */
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.lorem({ maxCount: 60, mode: 'words' }),
  fc
    .array(
      fc.constantFrom(
        '`',
        '``',
        '```',
        '\n',
        '\n## Tasks\n',
        '- ',
        '“',
        '”',
        ' […]',
        'password: ',
        'hunter2xQ9',
        '\\',
        '|',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

const task = fc.record({
  type: fc.constant('task.changed' as const),
  taskId: fc.nat(8).map(String),
  title: words,
  status: fc.constantFrom('pending' as const, 'in_progress' as const, 'completed' as const),
});

const path = words.map((text) => `src/${text}`);

const fact: fc.Arbitrary<Told> = fc.oneof(
  words.map((text) => asked(text)),
  words.map((text) => said(text)),
  fc.tuple(words, words).map(([command, text]) => ran(`npm ${command}`, `error ${text}`, 'failed')),
  words.map((text) => ran(`npm test ${text}`, 'ok')),
  path.map((file) => edited(file)),
  task,
);

const git: fc.Arbitrary<GitEvidence> = fc.record({
  branch: words,
  changes: fc.array(
    fc.record({ path, state: fc.constantFrom('changed' as const, 'untracked' as const, 'conflicted' as const) }),
    { maxLength: 60 },
  ),
  moreChanges: fc.nat(3),
  commits: fc.array(
    fc.record({ hash: fc.constant('0123456789abcdef'), subject: words, at: fc.constant('2026-01-01') }),
    {
      maxLength: 3,
    },
  ),
  operation: fc.record({ kind: fc.constant('rebase'), branch: words }),
});

/** Any conversation, with or without git. */
export const anyEvidence: fc.Arbitrary<HandoffEvidence> = fc.record({
  ledger: fc.array(fact, { maxLength: 40 }).map((facts) => ledgerOf(eventsOf(...facts))),
  git: fc.option(git, { nil: undefined }),
});
