import { lastRequests } from '../../evidence/last-requests.js';
import type { Ledger, NotedInput, Request, Said } from '../../ledger/ledger.js';
import { standingSentences } from '../../ledger/standing-sentences.js';
import type { HandoffItem, ItemOrigin } from '../handoff-document.js';
import { LABELS } from '../labels.js';
import { code, oneLine, quoted } from '../wording.js';

/** The user's own words: the last of them verbatim, what it began with, what holds all the time, and what lay between. */
export function requestItems(ledger: Ledger): readonly HandoffItem[] {
  const { firstRequest } = ledger;
  const isTold = lastRequests(ledger).requests.some(({ text }) => text === firstRequest?.text);
  return [
    ...lastRequestItems(ledger),
    ...replyToItems(ledger),
    ...inputAfter(ledger),
    ...planItems(ledger),
    ...(firstRequest === undefined || isTold
      ? []
      : [{ ...verbatim(firstRequest, LABELS.began), worth: 30, share: 0.2 }]),
    ...standingInstructions(ledger),
    ...shellItems(ledger),
    ...earlierRequests(ledger),
  ];
}

/** Required: the last request, those that wait with it, and what was refused since. */
export function lastRequestItems(ledger: Ledger): readonly HandoffItem[] {
  const { requests, unanswered } = lastRequests(ledger);
  const asked = [...requests]
    .reverse()
    .map((said, age) =>
      age === 0
        ? { ...verbatim(said, labelOf(said, unanswered)), share: 0.3 }
        : { ...verbatim(said, LABELS.askedWithIt), share: 0.1 },
    );
  const since = ledger.refusals.filter(({ step }) => isAfterLast(ledger, step)).slice(-MAX_REFUSALS);
  return [
    ...asked,
    ...since.reverse().map((said) => ({
      ...verbatim(said, `${LABELS.refusing} ${code(said.what.slice(0, 100))}, verbatim:`),
      share: 0.1,
    })),
  ];
}

const labelOf = ({ by }: Request, unanswered: boolean): string =>
  by !== undefined
    ? `${LABELS.fromTeammate} ${code(by)}, verbatim:`
    : unanswered
      ? LABELS.unanswered
      : LABELS.lastRequest;

/** “1+2” and “yes, do it” say nothing without what they answer. */
function replyToItems(ledger: Ledger): readonly HandoffItem[] {
  const { requests } = lastRequests(ledger);
  const last = requests.at(-1);
  const answering = requests.findLast(({ replyTo }) => replyTo !== undefined);
  if (last === undefined || answering?.replyTo === undefined || last.text.length > MAX_REPLY_LENGTH) return [];
  const said = { text: answering.replyTo, step: last.step, from: answering.from };
  return [{ ...verbatim(said, LABELS.replyTo), worth: REPLY_WORTH, share: 0.08 }];
}

/** What is longer explains itself. */
const MAX_REPLY_LENGTH = 600;
/** Told before anything else but the user's own words. */
const REPLY_WORTH = 90;

/**
 * What was approved, whole where nothing was asked since; later, as a reminder of where the work comes from. What was
 * proposed since the last request is what the user has in front of them.
 */
function planItems(ledger: Ledger): readonly HandoffItem[] {
  const { plan, requests } = ledger;
  if (plan === undefined) return [];
  if (!plan.isApproved) return isInHand(ledger) ? [{ ...verbatim(plan, LABELS.plan), worth: 95, share: 0.25 }] : [];
  const askedSince = requests.filter(({ step }) => step > plan.step).length;
  return [
    {
      ...verbatim(plan, LABELS.approvedPlan),
      ...(askedSince === 0 ? { share: 0.35, wholeShare: 0.6 } : { worth: 60, share: 0.1 }),
    },
  ];
}

/** Whether the plan was made for the last request. */
export const isInHand = (ledger: Ledger): boolean => ledger.plan !== undefined && isAfterLast(ledger, ledger.plan.step);

const MAX_REFUSALS = 3;

const isAfterLast = ({ requests }: Ledger, step: number): boolean => step > (requests.at(-1)?.step ?? -1);

/** What stands behind the last request and is not the user's. */
function inputAfter(ledger: Ledger): readonly HandoffItem[] {
  const { lastInput } = ledger;
  if (lastInput === undefined || lastInput.kind === 'shell' || !isAfterLast(ledger, lastInput.step)) return [];
  if (ledger.shell.at(-1)?.step === lastInput.step - 1) return []; // what the user's own command printed
  return [{ ...verbatim({ ...lastInput, text: asTyped(lastInput) }, LABELS.afterIt), share: 0.1 }];
}

/** `/review the tests`, where the program wrote it with tags around its parts. */
function asTyped({ kind, text }: NotedInput): string {
  const name = kind === 'command' ? /<command-name>\s*([^<]*?)\s*<\/command-name>/.exec(text)?.[1] : undefined;
  if (name === undefined) return text;
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1]?.trim() ?? '';
  return `${name} ${args}`.trim();
}

const verbatim = ({ text, from }: Said, label: string): HandoffItem => ({
  form: 'quote',
  text: text.trim(),
  label,
  from: [from],
  worth: 100,
  required: true,
});

/** The newest first. Those of the last request stand in it, unless it is so long that it may be cut. */
function standingInstructions({ requests, standing }: Ledger): readonly HandoffItem[] {
  const last = requests.at(-1);
  const isInFull = (step: number) => step === last?.step && last.text.length <= MAX_UNCUT_LENGTH;
  return [...standing]
    .reverse()
    .filter(({ step }) => !isInFull(step))
    .map(standingItem);
}

const MAX_UNCUT_LENGTH = 1_200;

const standingItem = ({ text, from }: { readonly text: string; readonly from: ItemOrigin }): HandoffItem => ({
  form: 'line',
  text: quoted(text, 240),
  label: LABELS.standing,
  from: [from],
  worth: 10,
});

export const standingItems = ({
  text,
  from,
}: {
  readonly text: string;
  readonly from: ItemOrigin;
}): readonly HandoffItem[] => standingSentences(text).map((sentence) => standingItem({ text: sentence, from }));

function shellItems({ shell }: Ledger): readonly HandoffItem[] {
  return [...shell].reverse().map(({ text, from }, age) => {
    const [command = '', ...output] = text.replace(TAGS, '\n').trim().split('\n');
    const printed = oneLine(output.join(' '));
    return {
      form: 'line',
      text: `${code(command)}${printed === '' ? '' : `: ${quoted(printed, 200)}`}`,
      label: LABELS.shell,
      from: [from],
      worth: 8 / (1 + age),
    };
  });
}

/** Agents tell by them what was typed and what was printed. */
const TAGS = /(?:<\/?[a-z_-]+>\s*)+/g;

/** What was said in between. A mere “yes” says nothing without its question, and nothing is told twice. */
function earlierRequests(ledger: Ledger): readonly HandoffItem[] {
  const { firstRequest, requests, refusals } = ledger;
  const told = new Set([firstRequest, ...lastRequests(ledger).requests].map((said) => oneLine(said?.text ?? '')));
  const refused = refusals
    .filter(({ step }) => !isAfterLast(ledger, step))
    .map((said) => ({ said, lead: `Refusing ${code(said.what.slice(0, 100))}: ` }));
  return [...requests.slice(0, -1).map((said) => ({ said, lead: '' })), ...refused]
    .sort((a, b) => b.said.step - a.said.step)
    .map(({ said, lead }) => ({ said, lead, whole: oneLine(said.text) }))
    .filter(({ whole }) => !BARE_REPLY.test(whole) && !isAllStanding(whole))
    .filter(({ whole }) => !told.has(whole) && told.add(whole).size > 0)
    .map(({ said, lead, whole }, age) => ({
      form: 'line',
      text: `${lead}${quoted(whole, age < 4 ? 320 : 160)}`,
      label: LABELS.earlier,
      from: [said.from],
      worth: 10 / (1 + age / 3),
    }));
}

const BARE_REPLY =
  /^(?:(?:yes|yeah|yep|ok(?:ay)?|sure|no|go(?: on| ahead)?|continue|please|thanks?|perfect|great|good|cool|do it|next)[\s,.!]*)+$/i;

const isAllStanding = (whole: string): boolean => standingSentences(whole).join(' ') === whole;
