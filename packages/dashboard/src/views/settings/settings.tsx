import type { Input, Output } from '@devs/api';
import { useState } from 'react';
import { usePage } from '../../parts/page-context.js';
import { ProjectChoice, useProject } from '../../parts/project-choice.js';
import { useAction } from '../../parts/use-action.js';
import { useAsked } from '../../parts/use-asked.js';
import { chooseTheme, keptTheme, type Theme } from '../../parts/use-theme.js';

const THEMES: Readonly<Record<Theme, string>> = { system: 'as the system', light: 'light', dark: 'dark' };

/** This browser, and what the project is set to. */
export default function Settings() {
  const choice = useProject();
  const project = choice.project?.root;
  const [changes, setChanges] = useState(0);
  const settings = useAsked('settings.get', project === undefined ? undefined : { project }, changes);
  const status = useAsked('status.get', {});
  return (
    <>
      <div className="head">
        <h1>Settings</h1>
        <ProjectChoice {...choice} />
      </div>
      <ThisBrowser />
      <section aria-labelledby="supervisor">
        <h2 id="supervisor">Supervisor</h2>
        {status.kind === 'known' ? (
          <p>
            devs {status.value.version}, process {status.value.pid}.{' '}
            {status.value.keeps === 'until-down' ? (
              <>
                It stays until <code>devs down</code>.
              </>
            ) : (
              'It ends when nothing is left to supervise.'
            )}
          </p>
        ) : null}
        {status.kind === 'known'
          ? status.value.problems.map((problem) => (
              <p key={problem} className="note" data-tone="warn">
                {problem}
              </p>
            ))
          : null}
      </section>
      <section aria-labelledby="project-settings">
        <h2 id="project-settings">Project</h2>
        {settings.kind === 'problem' ? (
          <p className="quiet">
            {settings.words} In the project, <code>devs config</code> lists every setting.
          </p>
        ) : null}
        {settings.kind === 'known' ? (
          <ProjectSettings
            settings={settings.value.settings}
            project={project ?? ''}
            onChanged={() => setChanges(changes + 1)}
          />
        ) : null}
      </section>
    </>
  );
}

type Listed = Output<'settings.get'>['settings'];

interface TableProps {
  readonly settings: Listed;
  readonly project: string;
  onChanged(): void;
}

/** Settings with a value of their own first: they are what a reader looks for. */
function ProjectSettings({ settings, ...rest }: TableProps) {
  const [isSet, isUsual] = [true, false].map((wanted) => settings.filter(({ source }) => hasOwn(source) === wanted));
  return (
    <>
      <p className="quiet">
        What can be changed here goes into <code>.devs/config.yaml</code>, and counts for what begins afterwards. What
        names a program, a path, a server or a permission is changed in the file.
      </p>
      {isSet === undefined || isSet.length === 0 ? (
        <p className="quiet">
          Nothing is set: the defaults count. <code>devs init</code> writes <code>.devs/config.yaml</code> with
          comments.
        </p>
      ) : (
        <SettingsTable settings={isSet} {...rest} />
      )}
      <details className="defaults">
        <summary>{isUsual?.length ?? 0} settings at their defaults</summary>
        <SettingsTable settings={isUsual ?? []} {...rest} />
      </details>
    </>
  );
}

const hasOwn = (source: Listed[number]['source']): boolean => source?.where !== undefined && source.where !== 'default';

const SettingsTable = ({ settings, ...rest }: TableProps) => (
  <div className="scroll">
    <table className="settings">
      <thead>
        <tr>
          <th>Setting</th>
          <th>Value</th>
          <th>From</th>
        </tr>
      </thead>
      <tbody>
        {settings.map((setting) => (
          <tr key={setting.key}>
            <td>
              <code>{setting.key}</code>
              <br />
              <small className="quiet">{setting.description}</small>
            </td>
            <td>
              {setting.value === undefined ? (
                <span className="quiet">not set</span>
              ) : (
                <code>{written(setting.value)}</code>
              )}
              {setting.isSafe === true ? <ChangeSetting setting={setting} {...rest} /> : null}
            </td>
            <td className="quiet" title={setting.source?.where}>
              {nameOf(setting.source?.where ?? 'default')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** The file of the project, or the user's own one: whose path says nothing more. */
const nameOf = (where: string): string => {
  if (IN_PROJECT.test(where)) return '.devs/config.yaml';
  return where.endsWith('/devs/config.yaml') ? 'your own config.yaml' : where;
};

const written = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const IN_PROJECT = /\.devs\/config\.yaml$/;

interface ChangeProps extends Omit<TableProps, 'settings'> {
  readonly setting: Listed[number];
}

/** Another value for one setting; removed, the value below the file counts again. */
function ChangeSetting({ setting: { key, value, description, source }, project, onChanged }: ChangeProps) {
  const { store, session, dialogs } = usePage();
  const action = useAction();
  if (session.scope() !== 'owner') return null;
  const change = (to: SettingValue | undefined) =>
    action.run(async () => {
      const input = { project, setting: key, ...(to === undefined ? {} : { value: to }) };
      const outcome = await store.client.call('settings.change', input);
      if (outcome.status === 'refused') throw new Error(outcome.reason);
      onChanged();
      return `${key} is ${to === undefined ? 'no longer set' : 'set'} in ${outcome.where}.`;
    });
  const ask = async () => {
    const text = value === undefined ? '' : written(value);
    const wanted = await dialogs.ask({ title: key, detail: description, text, action: 'Save' });
    if (wanted !== undefined && wanted !== text) await change(read(wanted));
  };
  return (
    <p className="choices small">
      <button type="button" aria-label={`Change ${key}`} disabled={action.isBusy} onClick={() => void ask()}>
        Change
      </button>
      {IN_PROJECT.test(source?.where ?? '') ? (
        <button
          type="button"
          aria-label={`Remove ${key}`}
          disabled={action.isBusy}
          onClick={() => void change(undefined)}
        >
          Remove
        </button>
      ) : null}
    </p>
  );
}

type SettingValue = NonNullable<Input<'settings.change'>['value']>;

/** As it would stand in the file: a number, yes or no, or words. */
function read(text: string): SettingValue {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}

function ThisBrowser() {
  const { session } = usePage();
  const [theme, setTheme] = useState(keptTheme);
  const [isRemembered, setRemembered] = useState(session.isRemembered);
  const choose = (next: Theme) => {
    setTheme(next);
    chooseTheme(next);
  };
  return (
    <section aria-labelledby="browser" className="form">
      <h2 id="browser">This browser</h2>
      <label>
        Colours
        <select value={theme} onChange={({ target }) => choose(target.value as Theme)}>
          {(Object.keys(THEMES) as Theme[]).map((name) => (
            <option key={name} value={name}>
              {THEMES[name]}
            </option>
          ))}
        </select>
      </label>
      <label className="check-line">
        <input
          type="checkbox"
          checked={isRemembered}
          onChange={({ target }) => {
            session.remember(target.checked);
            setRemembered(target.checked);
          }}
        />
        Remember this browser
      </label>
      <p className="quiet">
        The page stays signed in for a day, also in new tabs. A program that listens on this port while the supervisor
        is down could read the key. Without it, only this tab is signed in.
      </p>
      <p>You are {session.scope() === 'owner' ? 'the owner: you may change things' : 'a viewer: you may look'}.</p>
    </section>
  );
}
