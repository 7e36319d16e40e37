import { messageOf, type SeenTerminals } from '@devs/core';
import { Command } from 'commander';
import { jsonOption, storeOption } from '../program/options.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import type { StoreLocation } from '../store-access/store-location.js';
import { describeStoreLocation } from '../store-access/store-location.js';
import { chooseStore, type StoreOptions, useStore } from '../store-access/with-store.js';
import { calendarOf } from '../time/describe-time.js';
import type { OverviewServices } from './overview-services.js';
import { renderOverview } from './render-overview.js';
import { seenTerminals } from './seen-terminals.js';
import { type ProjectSurvey, surveyStore } from './survey.js';

/** `devs` by itself: what needs me and what runs, in all projects. `help` is shown where there is none. */
export function overviewCommand(
  services: OverviewServices,
  done: (exitCode: number) => void,
  help: () => void,
): Command {
  return new Command('devs')
    .addOption(storeOption())
    .addOption(jsonOption())
    .action(async (options: StoreOptions & { json?: boolean }) => {
      const terminals = await services.terminals.list();
      const { projects, problem } = await surveyAll(options, services, seenTerminals(terminals, services.clock.now()));
      if (problem !== undefined) services.warn(`devs: ${problem}`);
      if (outputMode(options) === 'json') services.print(toJson({ terminals, projects }));
      else if (projects.length > 0 || terminals.length > 0)
        services.print(renderOverview({ terminals, projects }, services.screen, calendarOf(services)).join('\n'));
      else if (problem === undefined) help();
      done(problem !== undefined || projects.some((project) => project.problem !== undefined) ? 1 : 0);
    });
}

async function surveyAll(
  options: StoreOptions,
  services: OverviewServices,
  seen: SeenTerminals,
): Promise<{ readonly projects: readonly ProjectSurvey[]; readonly problem: string | undefined }> {
  const chosen = chooseStore(options, services);
  const problems: string[] = [];
  if (chosen.kind !== 'project')
    return { projects: [await survey(describeStoreLocation(chosen), chosen, { services, seen })], problem: undefined };
  const projects: ProjectSurvey[] = [];
  for (const { root, file } of await services.records.projects((problem) => problems.push(problem))) {
    projects.push(await survey(root, { kind: 'sqlite', file }, { services, seen }));
  }
  return { projects, problem: problems[0] };
}

/** A project that cannot be read does not hide the others. */
async function survey(
  name: string,
  location: StoreLocation,
  { services, seen }: { readonly services: OverviewServices; readonly seen: SeenTerminals },
): Promise<ProjectSurvey> {
  try {
    const backend = await services.records.open(location, 'existing');
    if (backend === undefined) return { name, problem: 'there is no such store' };
    return { name, survey: await useStore(backend, services, (opened) => surveyStore(opened, seen)) };
  } catch (error) {
    return { name, problem: messageOf(error) };
  }
}
