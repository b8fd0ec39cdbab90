import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { DevState } from '../model/dev-state.ts';
import { sendAction } from './connection/send-action.ts';
import type { SessionView } from './connection/session-store.ts';
import { useNow } from './connection/use-now.ts';
import { Header } from './header.tsx';
import { ObjectsView } from './objects/objects-view.tsx';
import { SessionIndex } from './objects/session-index.ts';
import { type Act, ActContext, type Announce, AnnounceContext } from './parts/actions.tsx';
import { Problems } from './problems.tsx';
import { ReconcilesView } from './reconciles/reconciles-view.tsx';
import { type Route, type ViewName, hrefOf, useRoute, views } from './route.ts';
import { ControlsView } from './views/controls-view.tsx';
import { LogView } from './views/log-view.tsx';
import { RequestsView } from './views/requests-view.tsx';
import { RightsView } from './views/rights-view.tsx';
import { WaitingView } from './views/waiting-view.tsx';

const components = {
  objects: ObjectsView,
  reconciles: ReconcilesView,
  waiting: WaitingView,
  requests: RequestsView,
  rights: RightsView,
  log: LogView,
  controls: ControlsView,
} satisfies Record<ViewName, unknown>;

/** The page. */
export function App({ view: { state, connection } }: { view: SessionView }) {
  const route = useRoute();
  const [notice, setNotice] = useState({ text: '', isBad: false });
  const announce = useCallback<Announce>((text, isBad = false) => setNotice({ text, isBad }), []);
  const act = useCallback<Act>(
    (action, label) => {
      announce(`${label}: asked`);
      void sendAction(action).then((problem) =>
        announce(problem === undefined ? `${label}: done` : `${label}: ${problem}`, problem !== undefined),
      );
    },
    [announce],
  );
  return (
    <ActContext.Provider value={act}>
      <AnnounceContext.Provider value={announce}>
        <a class="skip" href="#main" onClick={skipToMain}>
          Skip to the content
        </a>
        <Header state={state} connection={connection} />
        <Problems problems={state?.problems ?? []} />
        <div class="columns">
          <Navigation state={state} route={route} />
          <Main state={state} route={route} />
        </div>
        <p class={notice.isBad ? 'notice bad' : 'notice'} role="status">
          {notice.text}
          {notice.text !== '' && (
            <button type="button" aria-label="Hide this notice" onClick={() => announce('')}>
              Hide
            </button>
          )}
        </p>
      </AnnounceContext.Provider>
    </ActContext.Provider>
  );
}

/** The address after # is that of a view, so the link itself cannot be followed. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('main')?.focus();
}

function Navigation({ state, route }: { state: DevState | undefined; route: Route }) {
  return (
    <nav aria-label="Views">
      <ul>
        {Object.entries(views).map(([name, title]) => (
          <li key={name}>
            <a href={hrefOf(name as ViewName)} aria-current={route.view === name ? 'page' : undefined}>
              {title} <Count state={state} view={name as ViewName} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** How much a view shows, or how much of it is wrong. */
function Count({ state, view }: { state: DevState | undefined; view: ViewName }) {
  if (!state) return null;
  const counts: Partial<Record<ViewName, number>> = {
    objects: Object.values(state.objects).filter(({ isGone }) => !isGone).length,
    reconciles: state.reconciles.length,
    waiting: state.queues.reduce((sum, { entries }) => sum + entries.length, 0),
  };
  const missing = state.rights.missing.length;
  if (view === 'rights' && missing > 0) return <span class="mark bad">{missing} missing</span>;
  return counts[view] === undefined ? null : <span class="muted">{counts[view]}</span>;
}

function Main({ state, route }: { state: DevState | undefined; route: Route }) {
  const main = useRef<HTMLElement>(null);
  const place = `${route.view}/${route.id ?? ''}`;
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    const detail = main.current?.querySelector<HTMLElement>('.detail');
    if (!detail) scrollTo(0, 0);
    (detail ?? main.current)?.focus();
  }, [place]);
  useEffect(() => {
    document.title = `${views[route.view]} · ${state?.project ?? 'ots dev'}`;
  }, [route.view, state?.project]);
  return (
    <main ref={main} id="main" tabIndex={-1} aria-label={views[route.view]}>
      <h1>{views[route.view]}</h1>
      {state ? <View state={state} route={route} /> : <p>Waiting for the session.</p>}
    </main>
  );
}

function View({ state, route }: { state: DevState; route: Route }) {
  const now = useNow(state.cluster.ahead);
  const index = useMemo(() => new SessionIndex(state), [state.objects, state.queues, state.reconciles]);
  const Component = components[route.view];
  return <Component state={state} index={index} route={route} now={now} />;
}
