import { DEFAULT_POLICY } from '../pressure/policy.js';
import type { Settings } from './settings.js';

const { marks, mostRenewals, mostResumes, mostParks, reminderTurns } = DEFAULT_POLICY;

export const DEFAULT_SETTINGS: Settings = {
  agent: 'auto',
  workflow: 'feature',
  parallel: 1,
  observe: false,
  worktree: 'own',
  copy: ['.env', '.env.local'],
  setup: [],
  checks: [],
  sandbox: 'auto',
  sandboxed: { network: true, read: [], write: [], pass: [] },
  budget: { day: {} },
  pressure: {
    soft: { share: marks.soft.share, tokens: marks.soft.mostTokens },
    firm: { share: marks.firm.share, tokens: marks.firm.mostTokens },
  },
  renewal: {
    enabled: true,
    autoHandoff: true,
    most: mostRenewals,
    ownWords: 'when-needed',
    checkpoints: 'private',
  },
  reinjection: { enabled: true, builtinTurns: 5, turns: reminderTurns },
  contextActions: { enabled: true, deadlineSeconds: 120 },
  stuck: { enabled: true, minutes: 20, sameAction: 3, sameError: 3 },
  resume: { enabled: true, most: mostResumes },
  limits: { park: true, most: mostParks },
  ledger: { enabled: true },
  notices: { bell: true, command: [] },
  dialogs: [],
  fleet: { remote: 'origin', labels: [] },
  model: {},
  permissions: { mode: 'allow', allow: [], ask: [], deny: [] },
  transport: 'auto',
  agents: {},
};
