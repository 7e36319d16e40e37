import { describe, expect, it } from 'vitest';
import { asksForOverview } from '../../program/run-cli.js';
import { plainPalette } from '../../screen/palette.js';
import { calendar, NOW, taskRecord } from '../../task/__tests__/task-record.js';
import { renderOverview } from '../render-overview.js';
import { renderTerminals } from '../render-terminals.js';

const counts = { pending: 0, in_progress: 0, blocked: 0, done: 0, failed: 0 };

describe('the overview', () => {
  it('shows first what needs the user', () => {
    const lines = renderOverview(
      {
        terminals: [],
        projects: [
          { name: '/quiet', survey: { blocked: [], inProgress: [], counts: { ...counts, done: 1_200 } } },
          {
            name: '/busy',
            survey: {
              blocked: [],
              inProgress: [taskRecord({ status: 'in_progress', lease: { by: 'anna', until: NOW + 60_000 } })],
              counts: { ...counts, in_progress: 1, pending: 2 },
            },
          },
          {
            name: '/stuck',
            survey: {
              blocked: [taskRecord({ id: 'deploy', status: 'blocked', reason: 'no key' })],
              inProgress: [],
              counts: { ...counts, blocked: 3 },
            },
          },
          { name: '/broken\u001b[2J', problem: 'the file is of a newer devs' },
        ],
      },
      { columns: 80, palette: plainPalette },
      calendar,
    );

    expect(lines).toEqual([
      '/broken␛[2J',
      '  the file is of a newer devs',
      '',
      '/stuck',
      '  blocked      deploy  Fix the login',
      '               ↳ no key',
      '  and 2 more blocked: devs task list --status blocked',
      '  3 tasks: 3 blocked',
      '',
      '/busy',
      '  in progress  fix-login  Fix the login                         anna, 1 min left',
      '  3 tasks: 1 in progress, 2 pending',
      '',
      '/quiet',
      '  1,200 tasks: 1,200 done',
      '',
      'Terminals',
      '  No agent is running. Start one with devs claude or devs codex.',
      '',
      'More: devs attach NAME · devs task list · devs log --follow · devs --help',
    ]);
  });

  it('shows waiting terminals before all others, and obeys nothing in their names', () => {
    const listing = {
      agent: 'claude',
      folder: '/home/anna/shop',
      isRenewing: false,
      renewals: 0,
      isSupervised: true,
      isAttended: true,
    };
    const lines = renderTerminals(
      [
        {
          ...listing,
          name: 'shop',
          activity: 'waiting',
          since: NOW - 300_000,
          pressure: 0.52,
          mark: 'soft',
          needs: { kind: 'waiting', detail: 'permission\u001b[2J prompt' },
        },
        { ...listing, name: 'parser', activity: 'busy', since: NOW - 4_000 },
      ],
      { columns: 80, palette: plainPalette },
      calendar,
    );

    expect(lines).toEqual([
      'Terminals',
      '  waiting    shop    claude  ████░░░░  52 %  /home/anna/shop               5 min',
      '             ↳ waits for your answer: permission␛[2J prompt · devs attach shop',
      '  busy       parser  claude                  /home/anna/shop                 4 s',
    ]);
  });

  it.each([
    [[], true],
    [['--json'], true],
    [['--store', 'sqlite:a.db', '--json'], true],
    [['--store=sqlite:a.db'], true],
    [['--store'], false],
    [['task'], false],
    [['--help'], false],
    [['--json', 'task'], false],
  ])('is what %j asks for: %s', (argv, isAsked) => {
    expect(asksForOverview(argv)).toBe(isAsked);
  });
});
