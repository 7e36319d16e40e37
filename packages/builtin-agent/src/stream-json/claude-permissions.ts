import type { JsonObject, PermissionChoice } from '@devs/core';
import { z } from 'zod';
import { judgeRequest } from '../held/judge-request.js';
import { createOpenPermissions, type OpenPermissionsDeps } from '../held/open-permissions.js';
import type { Face } from '../session/agent-setup.js';
import { describeUse, requestOf } from './claude-tools.js';
import type { AskedRequest } from './read-message.js';
import type { StreamSetup } from './stream-setup.js';

export interface ClaudePermissions {
  /** What the agent is answered, or that it does not wait any more, or that it asks for something that devs does not know. */
  ask(asked: AskedRequest): Promise<JsonObject | 'withdrawn' | 'unknown'>;
  /** The agent took it back. */
  withdraw(requestId: string): void;
  answer(requestId: string, choice: string, words?: string): boolean;
  cancel(): void;
}

interface ClaudePermissionDeps extends Omit<OpenPermissionsDeps, 'newId' | 'face'> {
  readonly setup: Pick<StreamSetup, 'folder' | 'user' | 'permissions' | 'newId'>;
  readonly face: Pick<Face, 'ask' | 'say'>;
}

const Rules = z.looseObject({ type: z.literal('addRules'), rules: z.array(z.looseObject({ toolName: z.string() })) });

const CanUseTool = z.object({
  subtype: z.literal('can_use_tool'),
  tool_name: z.string(),
  input: z.record(z.string(), z.unknown()).transform((input) => input as JsonObject),
  permission_suggestions: z.array(z.unknown()).optional(),
  decision_reason_type: z.string().optional(),
  matched_ask_rule: z.unknown().optional(),
  requires_user_interaction: z.boolean().optional(),
});
type CanUseTool = z.infer<typeof CanUseTool>;

export function createClaudePermissions({ setup, face, ...deps }: ClaudePermissionDeps): ClaudePermissions {
  const open = createOpenPermissions({ ...deps, face, newId: setup.newId });
  const withdrawn = new Map<string, AbortController>();
  const settle = async (requestId: string, asked: CanUseTool): Promise<JsonObject | 'withdrawn'> => {
    const { tool_name: tool, input } = asked;
    const detail = describeUse({ tool, input });
    const verdict = judgeRequest(requestOf({ tool, input }), setup);
    if (verdict === 'deny') {
      face.say(`Refused by a rule: ${tool} ${detail}`);
      return refusal('Refused by a rule in the settings of the user.');
    }
    if (verdict === 'allow' && !isOfTheUser(asked)) return { behavior: 'allow', updatedInput: input };
    const choices = choicesFor(asked);
    const taken = new AbortController();
    withdrawn.set(requestId, taken);
    const { choice, words } = await open.ask({ tool, detail, choices }, taken.signal);
    withdrawn.delete(requestId);
    if (choice === undefined) return 'withdrawn';
    if (choice.kind === 'deny-once') return refusal(words ?? 'The user refused it.');
    return { behavior: 'allow', updatedInput: answered(asked, choice), ...lasting(asked, choice) };
  };
  return {
    async ask({ request_id: id, request }) {
      const { data } = CanUseTool.safeParse(request);
      return data === undefined ? 'unknown' : settle(id, data);
    },
    withdraw: (requestId) => withdrawn.get(requestId)?.abort(),
    answer: open.answer,
    cancel: open.cancel,
  };
}

const refusal = (message: string): JsonObject => ({ behavior: 'deny', message, interrupt: false });

/** The user's own settings of the agent want to be asked, or the agent asks something: no rule of devs answers that. */
const isOfTheUser = (asked: CanUseTool): boolean =>
  asked.decision_reason_type === 'rule' ||
  (asked.matched_ask_rule ?? undefined) !== undefined ||
  asked.requires_user_interaction === true;

function choicesFor(asked: CanUseTool): readonly PermissionChoice[] {
  const rules = lastingRules(asked).flatMap((one) => one.rules.map(describeRule));
  const options = optionsOf(asked).map(
    ({ label }, at): PermissionChoice => ({ id: `option-${at + 1}`, name: label, kind: 'allow-once' }),
  );
  return [
    ...(options.length > 0 ? options : [{ id: 'allow', name: 'Yes', kind: 'allow-once' } as const]),
    ...(rules.length === 0
      ? []
      : [{ id: 'always', name: `Yes, and ${rules.join(', ')} in this conversation`, kind: 'allow-always' } as const]),
    { id: 'deny', name: 'No', kind: 'deny-once' },
  ];
}

/** Only for this process: nothing is written into the settings of the user. */
const lasting = (asked: CanUseTool, { kind }: PermissionChoice): JsonObject =>
  kind === 'allow-always'
    ? { updatedPermissions: lastingRules(asked).map((rule) => ({ ...rule, destination: 'session' })) as never }
    : {};

const lastingRules = ({ permission_suggestions: suggested = [] }: CanUseTool) =>
  suggested.flatMap((one) => Rules.safeParse(one).data ?? []);

const describeRule = ({ toolName, ruleContent }: { toolName: string; ruleContent?: unknown }): string =>
  typeof ruleContent === 'string' ? `${toolName}(${ruleContent})` : toolName;

const Questions = z.object({
  questions: z
    .array(z.looseObject({ question: z.string(), options: z.array(z.looseObject({ label: z.string() })) }))
    .length(1),
});

/** A single question with options, as `AskUserQuestion` asks it. */
const optionsOf = ({ requires_user_interaction: asks, input }: CanUseTool) =>
  asks === true ? (Questions.safeParse(input).data?.questions[0]?.options ?? []) : [];

function answered(asked: CanUseTool, { id, name }: PermissionChoice): JsonObject {
  const question = Questions.safeParse(asked.input).data?.questions[0]?.question;
  if (question === undefined || !id.startsWith('option-')) return asked.input;
  return { ...asked.input, answers: { [question]: name } };
}
