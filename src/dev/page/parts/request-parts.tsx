import type { ReconcileRequestState } from '../../model/dev-state.ts';
import { Mark } from './tone.tsx';

export function isRead(verb: string): boolean {
  return verb === 'get' || verb === 'list' || verb === 'watch';
}

/** The status of a response; a read from the cache has none. */
export function CodeMark({ code }: { code: number | undefined }) {
  if (code === undefined) return null;
  if (code === 409) return <Mark tone="bad">409 Conflict</Mark>;
  if (code === 404) return <Mark tone="plain">404 Not Found</Mark>;
  if (code === 403) return <Mark tone="bad">403 Forbidden</Mark>;
  return <Mark tone={code < 400 ? 'good' : 'bad'}>{code}</Mark>;
}

export function SourceText({ from }: Pick<ReconcileRequestState, 'from'>) {
  return from === 'cache' ? <span class="muted">cache</span> : <>live</>;
}
