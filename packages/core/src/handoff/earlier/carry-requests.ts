import type { HandoffItem, HandoffOrigin } from '../document/handoff-document.js';
import { LABELS } from '../document/labels.js';
import { standingItems } from '../document/sections/request-items.js';
import { quoted } from '../document/wording.js';
import { isBareReply } from '../evidence/last-requests.js';

/** The goal of the first conversation stays; the last request holds until the next. */
export function carryRequests(
  own: readonly HandoffItem[],
  earlier: readonly HandoffItem[],
  from: HandoffOrigin,
): readonly HandoffItem[] {
  const before = earlier.map((item) => ({ ...item, from: [from] }));
  const asked = askedIn(before);
  const began = quoteOf(before, LABELS.began) ?? asked;
  const ownAsked = askedIn(own);
  const isSuperseded = ownAsked !== undefined && !isBareReply(ownAsked.text);
  const ownFirst = quoteOf(own, LABELS.began);
  const replyTo = before.filter(({ form, label }) => form === 'quote' && label === LABELS.replyTo);
  const plan = quoteOf(own, LABELS.approvedPlan) === undefined ? quoteOf(before, LABELS.approvedPlan) : undefined;
  const hasOwnPlan = quoteOf(own, LABELS.approvedPlan, LABELS.plan) !== undefined;
  const proposed = hasOwnPlan ? [] : before.filter(({ form, label }) => form === 'quote' && label === LABELS.plan);
  const standing = [
    ...linesOf(own, LABELS.standing),
    ...(asked !== undefined && isSuperseded ? standingItems({ text: asked.text, from }) : []),
    ...linesOf(before, LABELS.standing),
  ];
  const said = [
    ...linesOf(own, LABELS.earlier),
    ...(ownFirst === undefined ? [] : [asLine(ownFirst)]),
    ...(asked !== undefined && isSuperseded && asked !== began ? [asLine(asked)] : []),
    ...linesOf(before, LABELS.earlier),
  ];
  return [
    ...own.filter((item) => item.form === 'quote' && item !== ownFirst),
    ...(isSuperseded || asked === undefined
      ? []
      : [
          {
            ...asked,
            label: ownAsked === undefined ? LABELS.lastRequest : LABELS.askedWithIt,
            worth: 100,
            required: true,
            share: 0.3,
          },
          ...replyTo.map((item) => ({ ...item, worth: 90, required: true, share: 0.08 })),
          ...before.filter(isRefusal).map((item) => ({ ...item, worth: 100, required: true, share: 0.1 })),
          ...proposed.map((item) => ({ ...item, worth: 95, required: true, share: 0.25 })),
        ]),
    ...(plan === undefined ? [] : [{ ...plan, worth: 60, required: true, share: isSuperseded ? 0.1 : 0.3 }]),
    ...(began === undefined || (began === asked && !isSuperseded)
      ? []
      : [{ ...began, label: LABELS.began, worth: 30, required: true, share: 0.2 }]),
    ...oldestAndNewest(unique(standing), MAX_STANDING).map((item) => ({ ...item, worth: 10 })),
    ...unique(said)
      .slice(0, MAX_SAID)
      .map((item, age) => ({ ...item, worth: 10 / (1 + age / 3) })),
  ];
}

/** The last wish: for a mere “go on”, the request before it. */
function askedIn(items: readonly HandoffItem[]): HandoffItem | undefined {
  const last =
    quoteOf(items, LABELS.lastRequest, LABELS.unanswered) ??
    items.find(({ form, label = '' }) => form === 'quote' && label.startsWith(LABELS.fromTeammate));
  return last !== undefined && isBareReply(last.text) ? (quoteOf(items, LABELS.askedWithIt) ?? last) : last;
}

const isRefusal = ({ form, label = '' }: HandoffItem): boolean => form === 'quote' && label.startsWith(LABELS.refusing);

const quoteOf = (items: readonly HandoffItem[], ...labels: readonly string[]): HandoffItem | undefined =>
  items.find(({ form, label = '' }) => form === 'quote' && labels.includes(label));

const linesOf = (items: readonly HandoffItem[], label: string): readonly HandoffItem[] =>
  items.filter((item) => item.form === 'line' && item.label === label);

const MAX_STANDING = 24;
const MAX_SAID = 40;

const asLine = ({ text, from }: HandoffItem): HandoffItem => ({
  form: 'line',
  text: quoted(text, 320),
  label: LABELS.earlier,
  from,
  worth: 5,
});

function unique(items: readonly HandoffItem[]): readonly HandoffItem[] {
  const told = new Set<string>();
  return items.filter(({ text }) => !told.has(text) && told.add(text).size > 0);
}

/** What was said first is what has held longest. */
const oldestAndNewest = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  items.length <= most ? items : [...items.slice(0, most / 2), ...items.slice(-most / 2)];
