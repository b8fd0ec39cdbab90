import { render } from 'preact';
import { App } from './app.tsx';
import { SessionStore, type SessionView } from './connection/session-store.ts';

const draw = (view: SessionView) => render(<App view={view} />, document.body);
draw({ connection: 'connecting' });
new SessionStore(draw).connect();
