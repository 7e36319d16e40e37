import { usePage, usePageState } from '../../parts/page-context.js';
import { useAction } from '../../parts/use-action.js';
import { sendWords } from '../terminal/send-words.js';

interface PutBackProps {
  readonly fact: string;
  readonly terminal: string;
  readonly project: string;
}

const MAX_PASSAGES = 3;

/** Gives a fact that was lost back to the agent, with what its conversations say about it. */
export function PutBack({ fact, terminal, project }: PutBackProps) {
  const { store, session } = usePage();
  const { past, terminals } = usePageState();
  const action = useAction();
  const there = terminals.find(({ name }) => name === terminal);
  if (session.scope() === 'viewer' || past !== undefined || there === undefined) return null;
  const putBack = () =>
    void action.run(async () => {
      const words = wordsOf(fact);
      const found =
        words === ''
          ? []
          : await store.client.call('recall.search', { project, words, limit: MAX_PASSAGES }).then(passagesOf);
      const text = promptOf(fact, found);
      const { isDelivered, words: why } = await sendWords(store.client, { terminal, run: there.run, text });
      if (!isDelivered) throw new Error(why);
      return 'The agent has it again.';
    });
  return (
    <button
      type="button"
      className="small"
      aria-label={`Put it back: ${fact}`}
      disabled={action.isBusy}
      onClick={putBack}
    >
      Put it back
    </button>
  );
}

const passagesOf = ({ results }: { readonly results: readonly { readonly text: string }[] }): readonly string[] =>
  results.map(({ text }) => text);

const MAX_WORDS = 5;

/** The names in a fact: what is searched for. */
const wordsOf = (fact: string): string =>
  [...fact.matchAll(/[\p{L}\p{N}_][\p{L}\p{N}_./-]{3,}/gu)]
    .map(([word]) => word)
    .slice(-MAX_WORDS)
    .join(' ');

/** Quoted, so that nothing in it is taken for a wish of the user. */
const promptOf = (fact: string, passages: readonly string[]): string =>
  [
    'For your information, from the conversation before this one; there is nothing to do about it by itself:',
    '',
    `> ${fact}`,
    ...passages.flatMap((passage) => ['', ...passage.split('\n').map((line) => `> ${line}`)]),
    '',
    'Keep it in mind, and continue with your work.',
  ].join('\n');
