import type { RunSettings } from '../config/settings.js';
import type { AskedPermission, PermissionSubject } from '../ports/agent-channel.js';
import type { StepContextAction } from '../workflow/types.js';
import type { ReachedBudget } from './budget.js';
import type { KeptAnswer, OpenEscalation, RunFacts } from './run-facts.js';
import type { Stuck } from './stuck-signs.js';

/** Current facts about a run. Nothing is guessed. */
export interface RunSignals {
  readonly now: number;
  readonly workflow: 'running' | 'complete' | 'failed';
  /** When its last step ended. */
  readonly stepAt?: number;
  /** Of the agent; `none` where no process is followed. */
  readonly agent: 'starting' | 'busy' | 'idle' | 'waiting' | 'exited' | 'none';
  readonly since: number;
  /** The terminal's own supervisor is at work: a renewal, or a restart. */
  readonly isOccupied: boolean;
  /** The provider is waited for, until a time that it said. */
  readonly isParked: boolean;
  /** A context action of the workflow is in progress, or waits for the agent to be idle. */
  readonly isActing: boolean;
  /** The agent got a prompt in its current conversation. */
  readonly isAsked: boolean;
  /** This process was seen at work. Otherwise its first prompt may still be on its way. */
  readonly hasWorked: boolean;
  /** The agent's own records show the user's answer. */
  readonly isAnswerHeard: boolean;
  /** Times it was asked to continue since its last progress. */
  readonly pushes: number;
  /** Context action requested by the workflow and not started yet. */
  readonly contextAction?: StepContextAction;
  /** A step has ended without the terminal knowing. */
  readonly hasStepEnded: boolean;
  /** The terminal wants to renew its agent, which does not stop working. */
  readonly isRenewalDue: boolean;
  /** The terminal is about to renew its agent, by itself. */
  readonly isRenewalNext: boolean;
  /** The agent's tools tell it to end its turn at the next end of a step. */
  readonly isTurnEndWanted: boolean;
  readonly stuck?: Stuck;
  /** How often it was noticed before, since the last progress. */
  readonly noticed: number;
  readonly budget?: ReachedBudget;
  readonly escalation?: OpenEscalation;
  readonly keptAnswer?: KeptAnswer;
  /** What only the user can do about the terminal. */
  readonly needs?: string;
  /** What the agent asks for, and takes an answer to. */
  readonly permission?: AskedPermission;
  /** The last lines that a waiting agent shows. */
  readonly screen?: string;
  /** What becomes of the agent when its user is asked. Default: `wait`. */
  readonly onEscalation?: 'wait' | 'pause';
  /** How long foreign text in the input has blocked prompts. */
  readonly draftMs?: number;
  /** How often in a row a prompt was not taken, and why the last time. */
  readonly refused?: { readonly times: number; readonly reason: string } | undefined;
  /** The agent's question to the user, in the agreed form. */
  readonly question?: string;
  /** The workflow tools are not there, for all that is known. */
  readonly tools?: MissingTools;
}

export interface MissingTools {
  /** `failed`: the server said so itself · `awaited`: it has not been heard of */
  readonly status: 'awaited' | 'failed';
  readonly error?: string;
  /** How long the agent could have used them. */
  readonly forMs: number;
  /** How often the agent was restarted for it, since the last progress. */
  readonly restarts: number;
  /** What starts the server, for the user to try. */
  readonly command: string;
}

export interface RunPatience {
  readonly idleMs: number;
  readonly unaskedMs: number;
  readonly waitingMs: number;
  /** Time for the terminal to begin a due renewal, before its agent is asked to continue. */
  readonly renewalMs: number;
  readonly lastWordsMs: number;
  /** How long an agent may be gone before the user is asked: its terminal's supervisor tries first, with pauses. */
  readonly goneMs: number;
  /** How long an agent that has started may be without its workflow tools. */
  readonly toolsMs: number;
  /** The same for hopeless cases: the server reported that it cannot start, or the agent has given up. */
  readonly hopelessToolsMs: number;
}

export type RunPrompt = 'opening' | 'go-on' | 'answer';

export type RunDecision =
  | { readonly do: 'nothing'; readonly why: string }
  | { readonly do: 'send'; readonly prompt: RunPrompt }
  | { readonly do: 'context-action'; readonly action: StepContextAction }
  | { readonly do: 'boundary' }
  | { readonly do: 'want-turn-end' }
  | { readonly do: 'settle-turn-end' }
  /**
   * The user's answer goes to a permission that the agent asks for. Words that answered another question allow nothing: they reach
   * the agent as the reason of a refusal.
   */
  | { readonly do: 'answer-permission'; readonly permission: AskedPermission; readonly as: 'choice' | 'refusal' }
  /** A fresh agent for the user's answer: there is none that could hear it. */
  | { readonly do: 'renew' }
  /** The same agent in its own conversation, in the hope that its tools start this time. */
  | { readonly do: 'restart'; readonly why: string }
  | ({ readonly do: 'notice-stuck' } & Stuck)
  /** `endsAgent`: it would keep working in vain. */
  | {
      readonly do: 'escalate';
      readonly question: string;
      readonly diagnosis: string;
      readonly endsAgent?: true;
      readonly permission?: PermissionSubject;
      /** The user said it before, to an agent that was gone by then: the user is not asked again. */
      readonly answer?: string;
    }
  /** The question is obsolete without an answer, or its answer is kept. */
  | { readonly do: 'settle-escalation'; readonly how: string; readonly isKept?: true }
  /** The user's answer cannot be delivered: ask them once more. */
  | { readonly do: 'ask-again'; readonly why: string; readonly endsAgent?: true }
  | { readonly do: 'pause'; readonly budget: ReachedBudget }
  | { readonly do: 'finish' };

/** After this many prompts to continue without progress, the agent needs help. */
export const MAX_PUSHES = 2;

/** A prompt that was refused so often in a row is the user's business: something is on the screen that devs does not understand. */
const MAX_REFUSALS = 3;

/** An agent that was restarted so often for its tools would not get them the next time either. */
const MAX_RESTARTS = 2;

/** Decides what to do with a run now. Pure. The terminal's own policy (pressure, crashes, limits) comes first. */
export function decideRun(
  signals: RunSignals,
  settings: Pick<RunSettings, 'observe'>,
  patience: RunPatience,
): RunDecision {
  const { workflow, agent, escalation, budget } = signals;
  const standingMs = signals.now - signals.since;
  if (signals.hasStepEnded) return { do: 'boundary' };
  if (workflow !== 'running') {
    const isTalking = agent === 'busy' && signals.now - (signals.stepAt ?? signals.since) < patience.lastWordsMs;
    return isTalking || signals.isOccupied || signals.isActing
      ? nothing('the agent says its last words')
      : { do: 'finish' };
  }
  if (signals.isTurnEndWanted && !signals.isRenewalDue) return { do: 'settle-turn-end' };
  if (budget !== undefined) return { do: 'pause', budget }; // an agent may work on while its user is asked
  if (escalation?.answer === undefined && escalation !== undefined) return whileAsking(escalation, signals);
  if (signals.needs !== undefined && escalation === undefined)
    return { do: 'escalate', question: 'What should happen with this agent?', diagnosis: signals.needs };
  if (signals.isAnswerHeard)
    return { do: 'settle-escalation', how: TOLD, ...(escalation?.permission === undefined ? {} : { isKept: true }) };
  if (signals.isOccupied || signals.isParked) return nothing('its terminal is being seen to');
  if (settings.observe && signals.isAsked) return nothing('only measuring');
  if (signals.isRenewalDue && !signals.isTurnEndWanted && agent === 'busy') return { do: 'want-turn-end' };
  if (signals.isActing) return whileActing(signals, standingMs, patience);
  if (signals.contextAction !== undefined) return { do: 'context-action', action: signals.contextAction };
  if (escalation?.answer !== undefined) return whenAnswered(signals, standingMs, patience);
  const trouble = troubleWith(signals, standingMs, patience);
  if (trouble !== undefined) return trouble;
  return agent === 'idle' ? whenIdle(signals, standingMs, patience) : nothing(`the agent is ${agent}`);
}

/** Problems that an agent cannot solve by itself. */
function troubleWith(signals: RunSignals, standingMs: number, patience: RunPatience): RunDecision | undefined {
  const { agent, stuck } = signals;
  const withoutTools = aboutTools(signals, patience);
  if (withoutTools !== undefined) return withoutTools;
  if (agent === 'idle' && (signals.draftMs ?? 0) >= patience.waitingMs)
    return { do: 'escalate', question: DRAFT_LEFT, diagnosis: ABOUT_DRAFT };
  if (agent === 'idle' && signals.refused?.reason !== 'draft' && (signals.refused?.times ?? 0) >= MAX_REFUSALS)
    return { do: 'escalate', question: NOT_TAKEN, diagnosis: aboutRefusal(signals) };
  if (agent === 'waiting' && signals.permission !== undefined) return aboutAsked(signals.permission, signals);
  if (agent === 'waiting' && standingMs >= patience.waitingMs)
    return { do: 'escalate', question: ON_SCREEN, diagnosis: aboutScreen(signals) };
  if (isGone(agent) && standingMs >= patience.goneMs)
    return {
      do: 'escalate',
      question: 'Should a fresh agent continue?',
      diagnosis: 'Its agent has ended, with work left.',
    };
  if (agent === 'starting' && standingMs >= patience.goneMs)
    return { do: 'escalate', question: NOT_STARTED, diagnosis: aboutStart(signals) };
  // An agent without tools fails repeatedly through no fault of its own.
  return stuck === undefined || signals.tools !== undefined ? undefined : aboutStuck(stuck, signals);
}

/** A context action waits for an idle agent; obstacles are still handled. */
function whileActing(signals: RunSignals, standingMs: number, patience: RunPatience): RunDecision {
  const { agent, escalation } = signals;
  if (escalation?.answer === undefined)
    return troubleWith(signals, standingMs, patience) ?? nothing('its context is being seen to');
  // A terminal that waits for its user does nothing else before it got their answer.
  const isFirst = agent === 'waiting' || signals.needs !== undefined;
  return isFirst ? whenAnswered(signals, standingMs, patience) : nothing('its context is being seen to first');
}

const PERMISSION = 'The agent asks for a permission.';
const ON_SCREEN = 'The agent is waiting for a permission or an answer.';
const DRAFT_LEFT = 'Unsent text is in the input box of the agent.';
const ABOUT_DRAFT =
  'devs does not send or delete what it did not type, so the run stands still. Attach to the terminal, then send the text or delete it.';
const NOT_STARTED = 'The agent was started, and does not come to its prompt. What should happen?';

const NO_TOOLS = 'The agent has no workflow tools. What should happen?';

const NOT_TAKEN = 'The agent does not take its prompt. What should happen?';

const aboutRefusal = ({ refused, screen }: RunSignals): string =>
  `A prompt was refused ${refused?.times} times in a row (${refused?.reason}). ${screen === undefined ? '' : `Its screen shows:\n${screen}\n`}Look at it with \`devs attach\`, and close what is open there.`;

/** An agent without its tools can only search for them. */
function aboutTools({ agent, tools, hasWorked, stuck }: RunSignals, patience: RunPatience): RunDecision | undefined {
  if (tools === undefined || (agent !== 'idle' && agent !== 'busy')) return undefined;
  const { status, error, forMs, restarts, command } = tools;
  const isHopeless = status === 'failed' || (agent === 'idle' && hasWorked) || stuck !== undefined;
  if (forMs < (isHopeless ? patience.hopelessToolsMs : patience.toolsMs)) return undefined;
  const why =
    status === 'failed'
      ? `The MCP server \`devs\` did not start: ${error ?? ''}`
      : `The MCP server \`devs\` did not connect within ${Math.round(forMs / 1_000)} seconds.`;
  if (restarts < MAX_RESTARTS) return { do: 'restart', why };
  const diagnosis = `${why}\nThe agent was restarted ${restarts} times, and then ended: it cannot work without these tools.\nTo see the cause, start the server yourself: ${command} </dev/null\nIf that prints no error, the agent did not start the server: its own settings may forbid it.\nAnswer when the cause is gone.`;
  return { do: 'escalate', question: NO_TOOLS, diagnosis, endsAgent: true };
}

/** The user is not asked twice: an answer that came after its agent was gone counts for the same request of its successor. */
function aboutAsked(asked: AskedPermission, { keptAnswer: kept, onEscalation }: RunSignals): RunDecision {
  const { tool, detail } = asked;
  return {
    do: 'escalate',
    question: PERMISSION,
    diagnosis: [aboutPermission(asked), ...(onEscalation === 'pause' ? [NOBODY_TO_ALLOW] : [])].join('\n'),
    permission: { tool, detail },
    ...(kept !== undefined && isSame(kept.permission, asked) ? { answer: kept.answer } : {}),
  };
}

const isSame = (one: PermissionSubject | undefined, other: PermissionSubject): boolean =>
  one?.tool === other.tool && one.detail === other.detail;

const NOBODY_TO_ALLOW =
  'The agent was ended, as no user waits here. With `devs run --detach` it waits for your answer; `permissions` in .devs/config.yaml allows things beforehand.';

/** With what it is about, and what can be said. */
const aboutPermission = ({ tool, detail, choices }: AskedPermission): string =>
  [
    detail.includes(tool) ? detail : `${tool}: ${detail}`,
    ...choices.map(({ name }, index) => `${index + 1}. ${name}`),
    'Answer with a number, a name, yes or no. Other words refuse it, and the agent is told them.',
  ].join('\n');

function aboutScreen({ screen, onEscalation }: RunSignals): string {
  const shown = screen === undefined ? 'Its question stands on its screen. ' : `Its screen shows:\n${screen}\n`;
  return onEscalation === 'pause'
    ? `${shown}No user is present to answer it, so the agent was ended. Your words reach it when the run continues. A permission is better allowed beforehand: in the agent's own settings, or under permissions in .devs/config.yaml for the built-in agent.`
    : `${shown}Attach to the terminal and answer it there. Words that you give here are typed only where the agent takes words.`;
}

const aboutStart = ({ screen }: RunSignals): string =>
  `${screen === undefined ? '' : `Its screen shows:\n${screen}\n`}Look at it with \`devs attach\`, or start it yourself in that folder to see what it waits for.`;

function whenIdle(signals: RunSignals, idleMs: number, patience: RunPatience): RunDecision {
  const { isAsked, pushes, question } = signals;
  if (idleMs < patienceWith(signals, patience)) return nothing('it has only just become idle');
  if (!isAsked) return { do: 'send', prompt: 'opening' };
  if (signals.tools !== undefined) return nothing('its workflow tools are not there yet');
  if (signals.isRenewalNext && idleMs < patience.renewalMs) return nothing('its agent is about to be renewed');
  if (question !== undefined)
    return { do: 'escalate', question, diagnosis: 'The agent ended its turn with this question.' };
  if (pushes < MAX_PUSHES) return { do: 'send', prompt: 'go-on' };
  return {
    do: 'escalate',
    question: 'How should the agent continue?',
    diagnosis: `It ended its turn ${pushes + 1} times in this step without finishing it, though it was told to continue.`,
  };
}

const patienceWith = ({ isAsked, hasWorked }: RunSignals, { idleMs, unaskedMs }: RunPatience): number =>
  isAsked && hasWorked ? idleMs : unaskedMs;

const isGone = (agent: RunSignals['agent']): boolean => agent === 'exited' || agent === 'none';

/** The user's answer goes to an agent that listens, including an agent that shows a question. */
function whenAnswered(signals: RunSignals, standingMs: number, patience: RunPatience): RunDecision {
  const { agent, permission, escalation } = signals;
  if (permission !== undefined && isSame(escalation?.permission, permission))
    return { do: 'answer-permission', permission, as: 'choice' };
  if (escalation?.question === PERMISSION) return { do: 'settle-escalation', how: KEPT, isKept: true };
  if (permission !== undefined) return { do: 'answer-permission', permission, as: 'refusal' };
  if (isGone(agent)) return { do: 'renew' };
  const listens = (agent === 'idle' && standingMs >= patienceWith(signals, patience)) || agent === 'waiting';
  if (listens) return { do: 'send', prompt: 'answer' };
  const waitedMs = Math.min(standingMs, signals.now - (signals.escalation?.answeredAt ?? signals.since));
  return (waitedMs < patience.goneMs ? undefined : whyUnheard(signals)) ?? nothing(`the agent is ${agent}`);
}

/** Why an agent will never receive the answer. A busy agent receives it later. */
function whyUnheard({ agent, stuck, tools }: RunSignals): RunDecision | undefined {
  if (agent === 'starting') return { do: 'ask-again', why: 'the agent does not come to its prompt' };
  if (agent !== 'busy' || stuck === undefined || tools !== undefined) return undefined;
  return { do: 'ask-again', why: `the agent goes round in circles: ${stuck.detail}`, ...endsFor(stuck, agent) };
}

/** A typed answer may appear in the agent's record later than expected. */
function whileAsking(escalation: OpenEscalation, { agent, isAnswerHeard }: RunSignals): RunDecision {
  const how = isAnswerHeard ? TOLD : howSettled(escalation, agent);
  return how === undefined ? nothing('the user was asked') : { do: 'settle-escalation', how };
}

/** A question on the agent's screen that was answered there is answered, and one about its start when it has started. */
export function howSettled({ question }: OpenEscalation, agent: RunSignals['agent']): string | undefined {
  if (question === NOT_STARTED && agent === 'idle') return STARTED;
  if (agent !== 'busy') return undefined;
  switch (question) {
    case ON_SCREEN:
    case PERMISSION:
      return 'it was answered in the terminal';
    case NOT_TAKEN:
      return 'the agent works again';
    case DRAFT_LEFT:
      return 'the text was sent';
    case NOT_STARTED:
      return STARTED;
    default:
      return undefined;
  }
}

/** How a question is settled by its answer. */
export const TOLD = 'the agent was told';
const KEPT = 'the agent that asked is gone; your answer is kept for its successor';
const STARTED = 'it came to its prompt after all';

/** The first time is only noted, and the agent is told once it listens; the second time it needs help. */
const aboutStuck = (stuck: Stuck, { noticed, agent }: RunSignals): RunDecision =>
  noticed === 0
    ? { do: 'notice-stuck', ...stuck }
    : {
        do: 'escalate',
        question: 'The agent goes round in circles. What should it do?',
        diagnosis: `${sentence(stuck.detail)} The agent was stuck before in this step.`,
        ...endsFor(stuck, agent),
      };

/** An agent that tries other remedies for the same error may continue while its user is asked. */
const endsFor = ({ kind }: Stuck, agent: RunSignals['agent']): { readonly endsAgent?: true } =>
  agent === 'busy' && kind !== 'same-error' ? { endsAgent: true } : {};

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
const nothing = (why: string): RunDecision => ({ do: 'nothing', why });

/** Whether it could be continued. */
export const isUnfinished = ({ phase }: RunFacts): boolean => phase.kind !== 'finished';
