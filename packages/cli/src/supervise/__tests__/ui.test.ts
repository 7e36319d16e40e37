import { expect, it } from 'vitest';
import { createWorld } from '../../__tests__/run-here.js';
import type { PageLink } from '../page-link.js';

const URL = 'http://127.0.0.1:4000/#k=secret';

function pageWith(hasBrowser: boolean) {
  const asked: unknown[] = [];
  const opened: string[] = [];
  const page: PageLink = {
    async makeLink(wanted) {
      asked.push(wanted);
      return { url: URL, until: 1 };
    },
    openBrowser(url) {
      if (hasBrowser) opened.push(url);
      return hasBrowser;
    },
  };
  return { page, asked, opened };
}

it('opens the page if there is a browser, and prints the link in any case', async () => {
  const { page, asked, opened } = pageWith(true);
  const { stdout, exitCode } = await createWorld({ page }).devs(['ui']);

  expect({ exitCode, asked, opened }).toEqual({ exitCode: 0, asked: [{ scope: 'owner' }], opened: [URL] });
  expect(stdout).toContain(URL);
});

it('prints a link to look only, on a port of choice', async () => {
  const { page, asked, opened } = pageWith(true);
  const { stdout } = await createWorld({ page }).devs(['ui', '--viewer', '--port', '4000']);

  expect({ asked, opened }).toEqual({ asked: [{ scope: 'viewer', port: 4000 }], opened: [] });
  expect(stdout).toContain('It works once');
});

it.each(['0', 'many', '65536'])('refuses the port %s', async (port) => {
  const { exitCode, stderr } = await createWorld().devs(['ui', '--port', port]);

  expect(exitCode).toBe(2);
  expect(stderr).toContain('a number from 1 to 65535');
});
