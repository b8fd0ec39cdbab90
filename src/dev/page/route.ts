import { useEffect, useState } from 'preact/hooks';

/** The views, in the order of the navigation. */
export const views = {
  objects: 'Objects',
  reconciles: 'Reconciles',
  waiting: 'Waiting',
  requests: 'Requests',
  rights: 'Rights',
  log: 'Events and logs',
  controls: 'Controls',
} as const;

export type ViewName = keyof typeof views;

/** What the address shows: a view, one thing in it, and filters. */
export interface Route {
  readonly view: ViewName;
  /** A uid, or the id of a reconcile. */
  readonly id?: string;
  readonly filters: Readonly<Record<string, string>>;
}

/** The address of a view, such as `#/log?reconcile=6f1b`. */
export function hrefOf(view: ViewName, id?: string, filters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(filters).toString();
  const path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`;
  return `#/${path}${query === '' ? '' : `?${query}`}`;
}

function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\//, '').split('?');
  const [view = '', id] = path.split('/').map(decodeURIComponent);
  const filters = Object.fromEntries(new URLSearchParams(query));
  return { view: Object.hasOwn(views, view) ? (view as ViewName) : 'objects', ...(id && { id }), filters };
}

export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const update = () => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', update);
    return () => removeEventListener('hashchange', update);
  }, []);
  return route;
}

/** Changes a filter without a new entry in the history. An empty value removes it. */
export function setFilter({ view, id, filters }: Route, name: string, value: string): void {
  const { [name]: _, ...others } = filters;
  location.replace(hrefOf(view, id, value === '' ? others : { ...others, [name]: value }));
}
