import type { OtherRequest, RecordedRequest } from '@devs/scripted-model';
import { visible } from '../../screen/visible.js';

const PROMPT_CHARACTERS = 40;

/** A request and its answer on one line. */
export function renderRequest(request: RecordedRequest): string {
  const prompt = excerpt(request.prompt);
  return `${String(request.number).padStart(3)}  ${visible(request.model)} ${request.purpose} "${prompt}" → ${describeReply(request)}`;
}

export const renderOther = ({ method, path, status }: OtherRequest): string =>
  `  ·  ${method} ${visible(path)} → ${status}`;

/** The same facts for a program. The whole request is in the file that --record names. */
export const requestAsJson = (request: RecordedRequest): Readonly<Record<string, unknown>> => ({
  event: 'model-request.received',
  number: request.number,
  at: request.at,
  api: request.api,
  model: request.model,
  purpose: request.purpose,
  source: request.source,
  messages: request.messages.length,
  tools: request.tools.length,
  prompt: request.prompt,
  reply: request.reply,
});

function describeReply({ reply, source }: RecordedRequest): string {
  if (reply.kind === 'refusal') return `${reply.error.status} (${source})`;
  const said = reply.parts.map((part) => (part.kind === 'call' ? visible(part.name) : part.kind));
  const ending = reply.ending.kind === 'complete' ? '' : `, ${reply.ending.kind}`;
  return `${said.join(', ')}${ending}; ${reply.usage.input} + ${reply.usage.output} tokens (${source})`;
}

const excerpt = (text: string) => {
  const line = visible(text.slice(0, PROMPT_CHARACTERS));
  return text.length > PROMPT_CHARACTERS ? `${line}…` : line;
};
