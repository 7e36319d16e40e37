import { estimateTokens } from '@devs/core';
import type { AnswerPart } from '../reply/reply.js';
import type { Usage } from '../reply/usage.js';
import type { Prompt } from '../request/find-prompt.js';
import type { ModelRequest } from '../request/model-request.js';
import { ownText } from '../request/own-text.js';
import { wasCompacted } from '../request/purpose-of.js';
import { parseDirectives } from '../script/parse-directives.js';
import type { ScriptedUsage, Step } from '../script/step.js';
import { estimateInput, estimateMessages } from './estimate-input.js';

interface UsageQuestion {
  readonly request: ModelRequest;
  readonly prompt: Prompt;
  readonly scripted: ScriptedUsage;
  readonly scale: number;
  readonly parts: readonly AnswerPart[];
}

/** The last few tokens, which a provider does not cache. */
const UNCACHED_TOKENS = 3;

/** Cost of an answer: as scripted; else on top of an earlier scripted cost; else estimated. */
export function decideUsage({ request, prompt, scripted, scale, parts }: UsageQuestion): Usage {
  const estimate = estimateInput(request, scale);
  const input = scripted.input ?? costSinceScripted(request, prompt, scale) ?? estimate.total;
  const share = estimate.total === 0 ? 0 : estimate.seenBefore / estimate.total;
  const cached = Math.min(scripted.cached ?? Math.floor(input * share), input);
  const output = scripted.output ?? parts.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  return { input, output, cached, written: Math.max(input - cached - UNCACHED_TOKENS, 0) };
}

/**
 * A conversation does not shrink by itself: after a prompt with `@model usage input=…` it costs that and what came since,
 * until it is compacted.
 */
function costSinceScripted(request: ModelRequest, prompt: Prompt, scale: number): number | undefined {
  if (wasCompacted(request)) return undefined;
  for (let index = prompt.index - 1; index >= 0; index--) {
    const message = request.messages[index];
    if (message?.role !== 'user' || !message.text.includes('usage ')) continue;
    const parsed = parseDirectives(ownText(message.text));
    const input = parsed.kind === 'script' ? lastInput(parsed.steps) : undefined;
    if (input !== undefined) return input + estimateMessages(request.messages.slice(index + 1), scale);
  }
  return undefined;
}

const lastInput = (steps: readonly Step[]): number | undefined =>
  steps.reduce<number | undefined>(
    (found, step) => (step.kind === 'usage' ? (step.usage.input ?? found) : found),
    undefined,
  );
