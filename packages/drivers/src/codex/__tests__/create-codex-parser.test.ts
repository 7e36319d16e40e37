import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCodexParser } from '../create-codex-parser.js';
import { called, item, line, message, read, started } from './codex-lines.js';

describe('reading a transcript of Codex', () => {
  it('says where the conversation takes place, and later only what changed', () => {
    const turn = (model: string) => line('turn_context', { cwd: '/project', model });
    expect(read(started, turn('small'), turn('small'), turn('large')).facts).toEqual([
      { type: 'conversation.described', conversationId: 'thread-1', folder: '/project', agentVersion: '0.166.0' },
      { type: 'conversation.described', model: 'small' },
      { type: 'conversation.described', model: 'large' },
    ]);
  });

  it('keeps its own name when it begins with a copy of the conversation it was forked from', () => {
    const original = line('session_meta', { id: 'thread-0', cwd: '/project', cli_version: '0.166.0' });
    expect(read(started, original).facts).toHaveLength(1);
  });

  it('distinguishes a request from all other input in the user’s name', () => {
    const { facts } = read(
      message(
        'user',
        [
          '# AGENTS.md instructions for /project\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>',
          'agents_md.instructions',
        ],
        ['<environment_context>\n</environment_context>', 'environments.environment_context'],
      ),
      message('developer', ['Be brief.', 'generic.developer_instructions']),
      message('developer', ['Remember the specs.', 'hooks.additional_context']),
      message('user', ['<skill> is a tag I want explained', 'user.text']),
      message('user', ['<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>', 'shell.user_command']),
      message('user', ['<turn_aborted>\nThe user interrupted…\n</turn_aborted>', 'generic.turn_aborted']),
      line('event_msg', { type: 'turn_aborted', reason: 'interrupted' }),
    );
    expect(facts.map((fact) => (fact.type === 'input.noted' ? fact.kind : fact.type))).toEqual([
      'meta',
      'meta',
      'meta',
      'hook',
      'request.made',
      'shell',
      'meta',
      'interruption',
    ]);
  });

  it('distinguishes them by their beginnings in versions without named parts', () => {
    const { facts } = read(
      message('user', ['<user_instructions>\nBe kind.\n</user_instructions>']),
      message('user', ['<environment_context>\n</environment_context>']),
      message('user', ['<subagent_notification>done</subagent_notification>']),
      message('user', ['Fix the parser.']),
    );
    expect(facts.map((fact) => (fact.type === 'input.noted' ? fact.kind : fact.type))).toEqual([
      'meta',
      'meta',
      'notification',
      'request.made',
    ]);
  });

  it("extracts the user’s words from the editor's additions", () => {
    const text = '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nRename it.';
    expect(read(message('user', [text])).facts).toEqual([
      { type: 'input.noted', kind: 'meta', text: '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n' },
      { type: 'request.made', text: 'Rename it.' },
    ]);
  });

  it('reads notes and thoughts once, though the screen’s events repeat them', () => {
    const { facts, tally } = read(
      line('event_msg', { type: 'item_completed', item: { type: 'Reasoning', summary_text: ['Look first'] } }),
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Look first' }], content: null }),
      line('event_msg', { type: 'agent_message', message: 'Looking.' }),
      message('assistant', ['Looking.']),
    );
    expect(facts).toEqual([
      { type: 'thought.written', text: 'Look first' },
      { type: 'note.written', text: 'Looking.' },
    ]);
    expect(tally).toEqual({ lines: 4, damagedLines: 0, unknownTypes: {} });
  });

  it('reads a plan as the whole list of tasks', () => {
    const plan = [
      { step: 'Read it', status: 'completed' },
      { step: 'Fix it', status: 'in_progress' },
      { step: 'Test it', status: 'pending' },
    ];
    expect(read(called('update_plan', { plan })).facts[1]).toEqual({
      type: 'tasks.replaced',
      tasks: plan.map(({ step, status }) => ({ title: step, status })),
    });
  });

  it('reads a compaction with the summary that the model wrote for it', () => {
    const summary = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'All is well.' }] };
    const words = 'Another language model started to solve this problem and produced a summary:\nAll is well.';
    const expected = [
      { type: 'context.compacted', trigger: 'unknown' },
      { type: 'summary.written', text: 'All is well.' },
    ];
    expect(read(item(summary, { compaction_output: true }), line('compacted', { message: words })).facts).toEqual(
      expected,
    );
    expect(read(line('compacted', { message: words }), message('user', [words])).facts).toEqual(expected);
    expect(read(line('compacted', { message: '' })).facts).toEqual(expected.slice(0, 1));
  });

  it('says where each event comes from', () => {
    expect(read(item({ type: 'message', id: 'm1', role: 'user', content: [{ text: 'Go.' }] })).events[0]?.from).toEqual(
      {
        line: 1,
        byteOffset: 0,
        at: '2026-01-02T03:04:05.678Z',
        id: 'm1',
      },
    );
  });

  it('counts unknown and damaged records', () => {
    const lines = [
      line('new_thing', {}),
      item({ type: 'hologram' }),
      line('event_msg', { type: 'sparkle' }),
      '{"ty',
      '',
    ];
    expect(read(...lines).tally).toEqual({
      lines: 4,
      damagedLines: 1,
      unknownTypes: { new_thing: 1, 'response_item.hologram': 1, 'event_msg.sparkle': 1 },
    });
  });

  it('never throws, for any value in any place', () => {
    const type = fc.constantFrom('session_meta', 'response_item', 'event_msg', 'compacted', 'token_usage_record', 'x');
    const kind = fc.constantFrom('message', 'function_call', 'function_call_output', 'custom_tool_call', 'token_count');
    const payload = fc.oneof(
      fc.jsonValue(),
      fc.record({
        type: kind,
        role: fc.jsonValue(),
        content: fc.jsonValue(),
        output: fc.jsonValue(),
        info: fc.jsonValue(),
      }),
      fc.record({ type: kind, name: fc.constantFrom('apply_patch', 'shell', 'update_plan'), arguments: fc.json() }),
    );
    const parser = createCodexParser();
    fc.assert(
      fc.property(type, payload, (name, content) => {
        parser.parseLine(JSON.stringify({ type: name, payload: content }), { line: 1, byteOffset: 0 });
      }),
      { numRuns: rounds(300), seed: seed() },
    );
  });
});
