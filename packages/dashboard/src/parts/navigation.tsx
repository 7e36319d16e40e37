import { Link, useLocation } from 'wouter';
import { FreshnessMark } from './freshness-mark.js';
import { Icon, type IconName } from './icon.js';

interface Place {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  /** Whether the bar of a phone has it. */
  readonly isMain?: true;
}

export const PLACES: readonly Place[] = [
  { path: '/', name: 'Overview', icon: 'grid', isMain: true },
  { path: '/inbox', name: 'Inbox', icon: 'inbox', isMain: true },
  { path: '/tasks', name: 'Tasks', icon: 'tasks', isMain: true },
  { path: '/log', name: 'Log', icon: 'log', isMain: true },
  { path: '/cost', name: 'Cost', icon: 'cost' },
  { path: '/new', name: 'New run', icon: 'plus', isMain: true },
  { path: '/settings', name: 'Settings', icon: 'settings' },
];

/** A column at the side; on a phone a bar at the bottom. */
export function Navigation({ waiting }: { readonly waiting: number }) {
  const [location] = useLocation();
  return (
    <header className="side">
      <Link href="/" className="brand" aria-label="devs, overview">
        <img src="/icon.svg" alt="" width="26" height="26" />
        <strong>devs</strong>
      </Link>
      <nav aria-label="Views">
        {PLACES.map(({ path, name, icon, isMain }) => (
          <Link
            key={path}
            href={path}
            className={`place${isMain === true ? '' : ' wide-only'}`}
            aria-current={isAt(location, path) ? 'page' : undefined}
          >
            <Icon name={icon} />
            <span>{name}</span>
            {path === '/inbox' && waiting > 0 ? (
              <b className="count" role="img" aria-label={`${waiting} need you`}>
                {waiting}
              </b>
            ) : null}
          </Link>
        ))}
      </nav>
      <p className="narrow-only">
        {PLACES.filter(({ isMain }) => isMain === undefined).map(({ path, name, icon }) => (
          <Link key={path} href={path} aria-label={name} aria-current={isAt(location, path) ? 'page' : undefined}>
            <Icon name={icon} />
          </Link>
        ))}
      </p>
      <FreshnessMark />
    </header>
  );
}

const isAt = (location: string, path: string): boolean =>
  path === '/' ? location === '/' || /^\/(?:runs|terminals)\//.test(location) : location.startsWith(path);
