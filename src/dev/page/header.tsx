import type { DevState, OperatorState } from '../model/dev-state.ts';
import type { Connection } from './connection/session-store.ts';
import { ActionButton } from './parts/actions.tsx';
import { formatDuration } from './parts/format-time.ts';
import { Mark, type Tone } from './parts/tone.tsx';
import { PauseButtons } from './views/controls-view.tsx';

const tones: Readonly<Record<OperatorState['phase'], Tone>> = {
  building: 'wait',
  starting: 'wait',
  running: 'good',
  broken: 'bad',
  crashed: 'bad',
  stopped: 'plain',
};

const connectionTexts: Readonly<Record<Connection, string>> = {
  connecting: 'Connecting to the session.',
  open: '',
  lost: 'The session does not answer. The page shows the last that it received and tries again.',
  ended: 'The session has ended. Run ots dev again, and open the page that it prints.',
};

/** What runs, and how it is. */
export function Header({ state, connection }: { state: DevState | undefined; connection: Connection }) {
  return (
    <header>
      <div class="bar">
        <strong class="project">{state?.project ?? 'ots dev'}</strong>
        {state && <Status state={state} />}
      </div>
      <p class={connection === 'connecting' ? 'connection' : 'connection bad'} role="status">
        {connectionTexts[connection]}
      </p>
    </header>
  );
}

function Status({ state: { operator, cluster } }: { state: DevState }) {
  const { phase, starts, pid, isPaused, pausedObjects } = operator;
  return (
    <>
      <span>
        Operator <Mark tone={tones[phase]}>{phase}</Mark>{' '}
        <span class="muted">
          {starts > 1 && `start ${starts}, `}
          {pid !== undefined && `process ${pid}`}
        </span>
      </span>
      {isPaused && <Mark tone="wait">all reconciles wait for you</Mark>}
      {!isPaused && pausedObjects.length > 0 && (
        <Mark tone="wait">
          {pausedObjects.length} {pausedObjects.length === 1 ? 'object waits' : 'objects wait'} for you
        </Mark>
      )}
      <span>
        Cluster {cluster.isEmbedded ? 'on this machine' : cluster.url}
        {cluster.ahead > 0 && `, ${formatDuration(cluster.ahead)} ahead`}
      </span>
      <span class="buttons">
        <PauseButtons isPaused={isPaused} />
        <ActionButton action={{ action: 'restart' }} label="Restart">
          Restart
        </ActionButton>
      </span>
    </>
  );
}
