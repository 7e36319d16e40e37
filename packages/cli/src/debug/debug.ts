import { Command } from 'commander';
import { debugDetectCommand } from './debug-detect.js';
import { debugExportCommand } from './debug-export.js';
import { debugImportCommand } from './debug-import.js';
import { debugModelServerCommand } from './debug-model-server.js';
import { debugPromptCommand } from './debug-prompt.js';
import { debugProtocolCommand } from './debug-protocol.js';
import type { DebugServices } from './debug-services.js';
import { debugSessionStateCommand } from './debug-session-state.js';
import { debugStateCommand } from './debug-state.js';
import { debugTranscriptCommand } from './debug-transcript.js';
import { debugVerifyCommand } from './debug-verify.js';

const COMMANDS = [
  debugStateCommand,
  debugPromptCommand,
  debugVerifyCommand,
  debugExportCommand,
  debugImportCommand,
  debugSessionStateCommand,
  debugDetectCommand,
  debugTranscriptCommand,
];

export function debugCommand(services: DebugServices, done: (exitCode: number) => void): Command {
  const debug = new Command('debug')
    .description('Look at one part of devs at work.')
    .addHelpText('after', '\nExample:\n  devs debug detect answer.txt');
  for (const create of COMMANDS) debug.addCommand(create(services, done));
  const { checkout } = services;
  if (checkout !== undefined) {
    debug.addCommand(debugProtocolCommand(services, done, checkout));
    debug.addCommand(debugModelServerCommand(services, done));
  }
  return debug;
}
