import { messageOf } from '@devs/core';
import { Command } from 'commander';
import { settingsOf } from '../config/load-settings.js';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { describeStoreLocation } from '../store-access/store-location.js';
import { chooseStore, type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { count } from '../words.js';
import type { DoctorServices } from './doctor-services.js';
import { examineModel, examineSandbox, examineTerminals, type Finding } from './doctor-terminals.js';

/** More than a network takes, and less than leases last. */
const MAX_SKEW_MS = 5_000;

/** What machines that share a store need of this one: the remote, and a clock. Nothing for a store of one machine. */
async function examineFleet(options: StoreOptions, services: DoctorServices): Promise<readonly Finding[]> {
  if (chooseStore(options, services).kind !== 'redis') return [];
  return [await examineRemote(services), ...(await examineClock(options, services))];
}

async function examineRemote(services: DoctorServices): Promise<Finding> {
  const { layers } = await services.settingsFiles.read();
  const { remote } = settingsOf(layers).settings.fleet;
  const found = await services.travel.reach((await services.records.here()).root, remote);
  switch (found.outcome) {
    case 'no-remote':
      return {
        level: 'problem',
        text: `remote: this clone has no remote "${remote}", through which work travels. Add one: git remote add ${remote} URL`,
      };
    case 'silent':
      return { level: 'problem', text: `remote: ${remote} does not answer: ${found.message}` };
    case 'answers':
      return found.mayBePublic
        ? { level: 'warning', text: `remote: ${found.where} answers; if it is public, so is the work of runs` }
        : { level: 'ok', text: `remote: ${found.where} answers` };
  }
}

async function examineClock(options: StoreOptions, services: DoctorServices): Promise<readonly Finding[]> {
  const { clock } = services;
  const skewMs = await withExistingStore<number | undefined>(
    services,
    options,
    async ({ backend }) => {
      const before = clock.now();
      const there = await backend.leaseTime(clock);
      return (before + clock.now()) / 2 - there;
    },
    () => undefined,
  ).catch(() => undefined); // the store itself is examined elsewhere
  if (skewMs === undefined) return [];
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (Math.abs(skewMs) < MAX_SKEW_MS) return [{ level: 'ok', text: 'clock: agrees with that of the store' }];
  const how = skewMs > 0 ? 'ahead of' : 'behind';
  return [
    {
      level: 'warning',
      text: `clock: ${seconds} s ${how} that of the store. Leases go by the store's clock, but times in the log are wrong; set up NTP`,
    },
  ];
}

const MORE_HELP = `
Looks and changes nothing.

Example:
  devs doctor --store redis://localhost:6379

Exit codes: 0 all is well, also with warnings, 1 something does not work,
2 wrong usage.`;

export function doctorCommand(services: DoctorServices, done: (exitCode: number) => void): Command {
  return new Command('doctor')
    .description('Check that devs can work here and that nothing it stores could be lost')
    .addOption(storeOption())
    .addOption(jsonOption())
    .addHelpText('after', MORE_HELP)
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<StoreOptions & { json?: boolean }>();
      const findings = [
        { level: 'ok', text: `devs ${services.version}` } as const,
        ...(await examineStore(options, services)),
        ...(await examineFleet(options, services)),
        ...(await examineTerminals(services)),
        ...(await examineModel(services)),
        ...(await examineSandbox(services)),
      ];
      const isWell = findings.every(({ level }) => level !== 'problem');
      if (outputMode(options) === 'json') services.print(toJson({ ok: isWell, findings }));
      else for (const finding of findings) services.print(describe(finding, services));
      done(isWell ? 0 : 1);
    });
}

async function examineStore(options: StoreOptions, services: DoctorServices): Promise<readonly Finding[]> {
  const location = chooseStore(options, services);
  const where = location.kind === 'project' ? (await services.records.here()).file : describeStoreLocation(location);
  try {
    const held = await withExistingStore(
      services,
      options,
      async ({ store }) => (await store.state()).position,
      () => undefined,
    );
    const text =
      held === undefined
        ? `store: ${where}, none yet; made when it is first needed`
        : `store: ${where}, ${count(held, 'event')}`;
    const warnings = await services.records.warnings(location);
    return [{ level: 'ok', text }, ...warnings.map((warning): Finding => ({ level: 'warning', text: warning }))];
  } catch (error) {
    return [{ level: 'problem', text: `store: ${where}: ${messageOf(error)}` }];
  }
}

function describe({ level, text }: Finding, { screen }: DoctorServices): string {
  const { palette } = screen;
  const paint = level === 'ok' ? palette.good : level === 'none' ? palette.quiet : palette.bad;
  const mark = paint(level.padEnd('problem'.length));
  return `${mark}  ${visible(text)}`;
}
