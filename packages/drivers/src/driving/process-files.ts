import { readdir, readFile, readlink } from 'node:fs/promises';

/** A process and all its descendants, or only itself where the system does not tell. */
export async function processTree(pid: number): Promise<readonly number[]> {
  const parents = await parentsOfAll();
  const tree = [pid];
  for (let at = 0; at < tree.length; at++) {
    for (const [child, parent] of parents) if (parent === tree[at] && !tree.includes(child)) tree.push(child);
  }
  return tree;
}

/** Open files of the processes; empty if the system does not report them. */
export async function openFiles(pids: readonly number[]): Promise<readonly string[]> {
  const found = await Promise.all(pids.map(openFilesOf));
  return [...new Set(found.flat())];
}

async function openFilesOf(pid: number): Promise<readonly string[]> {
  const numbers = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const links = await Promise.all(numbers.map((number) => readlink(`/proc/${pid}/fd/${number}`).catch(() => '')));
  return links.filter((link) => link.startsWith('/'));
}

async function parentsOfAll(): Promise<ReadonlyMap<number, number>> {
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(
    names.map(async (name) => {
      const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
      // The name of the program is in brackets and may contain anything, brackets too.
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      return [Number(name), parent] as const;
    }),
  );
  return new Map(entries.filter(([, parent]) => Number.isInteger(parent)));
}
