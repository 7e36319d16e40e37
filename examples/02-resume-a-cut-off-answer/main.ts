// The model reaches its output limit in the middle of a string. devs asks for the rest and joins the two.
import assert from 'node:assert/strict';
import { detect, TurnExecutor } from '@devs/core';
import { createRecordingLogger, scriptedLlm, turnContext, validEnvelope } from '@devs/core/testing';

const meant = validEnvelope();
const whole = JSON.stringify(meant);
const cutOff = whole.slice(0, whole.indexOf('keeps it'));

// What the detector says about half an answer: up to where it is whole.
const detection = detect(cutOff, { stopReason: 'max_tokens' });
assert.equal(detection.partial && detection.cutIn, 'string');
const kept = detection.partial ? detection.lastValidToken : '';
assert.ok(kept.endsWith('"content":'));

// The same within a turn: the second answer is what stands behind the last whole token.
const llmClient = scriptedLlm({ text: cutOff, stopReason: 'max_tokens' }, whole.slice(kept.length));
const logger = createRecordingLogger();
const outcome = await new TurnExecutor({ llmClient, logger }).execute('Write the test.', turnContext());

assert.equal(outcome.state, 'COMPLETED');
assert.deepEqual(outcome.envelope, meant);
assert.ok(llmClient.prompts[1]?.endsWith(kept));
assert.deepEqual(logger.names(), ['PARTIAL_COMPLETION_DETECTED', 'RESUME_TRIED', 'RESUME_SUCCEEDED', 'TURN_COMPLETED']);
console.log('example ok');
