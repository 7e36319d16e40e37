import { useState } from 'react';
import { usePage } from '../../parts/page-context.js';
import { ProjectChoice, useProject } from '../../parts/project-choice.js';
import { useAsked } from '../../parts/use-asked.js';

const THEMES = { system: 'as the system', light: 'light', dark: 'dark' } as const;
type Theme = keyof typeof THEMES;

/** This browser, and what the project is set to. */
export default function Settings() {
  const choice = useProject();
  const project = choice.project?.root;
  const settings = useAsked('settings.get', project === undefined ? undefined : { project });
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
            devs {status.value.version}, process {status.value.pid};{' '}
            {status.value.keeps === 'until-down' ? 'stays until `devs down`' : 'ends when nothing is left to supervise'}
            .
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
          <p className="quiet">{settings.words} In the project, `devs config` lists every setting.</p>
        ) : null}
        {settings.kind === 'known' ? (
          <div className="scroll">
            <table>
              <thead>
                <tr>
                  <th>Setting</th>
                  <th>Value</th>
                  <th>From</th>
                </tr>
              </thead>
              <tbody>
                {settings.value.settings.map(({ key, value, source, description }) => (
                  <tr key={key}>
                    <td title={description}>
                      <code>{key}</code>
                    </td>
                    <td>
                      <code>{value === undefined ? '' : JSON.stringify(value)}</code>
                    </td>
                    <td className="quiet">{source?.where ?? 'default'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        ) : null}
      </section>
    </>
  );
}

function ThisBrowser() {
  const { session } = usePage();
  const [theme, setTheme] = useState<Theme>(() => (localStorage.getItem('devs.theme') as Theme | null) ?? 'system');
  const [isRemembered, setRemembered] = useState(session.isRemembered);
  const choose = (next: Theme) => {
    setTheme(next);
    if (next === 'system') localStorage.removeItem('devs.theme');
    else localStorage.setItem('devs.theme', next);
    document.documentElement.dataset.theme = next;
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
