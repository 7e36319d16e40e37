import type { Screen } from '../screen/screen.js';
import { visible } from '../screen/visible.js';
import { wrapWords } from '../screen/wrap.js';
import { renderTaskRows } from '../task/render-task-rows.js';
import { describeCounts, statusWord } from '../task/status-words.js';
import type { TerminalListing } from '../terminal/listing/terminal-listing.js';
import type { Calendar } from '../time/describe-time.js';
import { grouped } from '../words.js';
import { renderRuns } from './render-runs.js';
import { renderTerminals } from './render-terminals.js';
import type { ProjectSurvey, Survey } from './survey.js';

export interface Overview {
  readonly terminals: readonly TerminalListing[];
  readonly projects: readonly ProjectSurvey[];
}

/** The user's terminals, then project by project; items that need the user come first. */
export function renderOverview({ terminals, projects }: Overview, screen: Screen, calendar: Calendar): string[] {
  const sorted = [...projects].sort((a, b) => urgency(b) - urgency(a));
  const shownTerminals = [...renderTerminals(terminals, screen, calendar), ''];
  const shownProjects = sorted.flatMap((project) => [...renderProject(project, screen, calendar), '']);
  return [
    // An empty list needs no attention.
    ...(terminals.length > 0 ? [...shownTerminals, ...shownProjects] : [...shownProjects, ...shownTerminals]),
    screen.palette.quiet('More: devs attach NAME · devs task list · devs log --follow · devs --help'),
  ];
}

function urgency({ survey, problem }: ProjectSurvey): number {
  if (problem !== undefined) return 3;
  if (survey === undefined) return 0;
  if (survey.runs?.some(({ state }) => state === 'needs you')) return 2;
  return survey.blocked.length > 0 ? 2 : Math.min(1, survey.inProgress.length + (survey.runs?.length ?? 0));
}

function renderProject({ name, survey, problem }: ProjectSurvey, screen: Screen, calendar: Calendar): string[] {
  const { palette, columns } = screen;
  const heading = palette.title(visible(name));
  if (problem !== undefined) return [heading, ...indent(wrapWords(visible(problem), columns - 2).map(palette.bad))];
  if (survey === undefined) return [heading];
  const narrower = { ...screen, columns: columns - 2 };
  return [
    heading,
    ...indent(renderRuns(survey.runs ?? [], narrower, calendar)),
    ...indent(renderTaskRows([...survey.blocked, ...survey.inProgress], narrower, calendar)),
    ...indent(
      [...more(survey, 'blocked'), ...more(survey, 'in_progress'), describeCounts(survey.counts)].map(palette.quiet),
    ),
  ];
}

function more({ blocked, inProgress, counts }: Survey, status: 'blocked' | 'in_progress'): string[] {
  const left = counts[status] - (status === 'blocked' ? blocked : inProgress).length;
  return left > 0 ? [`and ${grouped(left)} more ${statusWord(status)}: devs task list --status ${status}`] : [];
}

const indent = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
