import { useContext, useState } from 'preact/hooks';
import { compareNames, nameOf } from '../objects/session-index.ts';
import { ActContext, ActionButton, CopyButton } from '../parts/actions.tsx';
import { formatDuration } from '../parts/format-time.ts';
import type { ViewProps } from '../view-props.ts';

/** What a person can do to the session. */
export function ControlsView(props: ViewProps) {
  const { cluster, operator } = props.state;
  const setKubeconfig = `export KUBECONFIG=${cluster.kubeconfig}`;
  return (
    <>
      <h2>Operator</h2>
      <p class="buttons">
        <ActionButton action={{ action: 'restart' }} label="Restart">
          Restart
        </ActionButton>
        <ActionButton action={{ action: 'crash' }} label="Crash">
          Crash
        </ActionButton>
        <PauseButtons isPaused={operator.isPaused} />
        <ActionButton action={{ action: 'apply-samples' }} label="Apply samples">
          Apply samples
        </ActionButton>
      </p>
      <h2>kubectl</h2>
      <p>
        <code>{setKubeconfig}</code>{' '}
        <CopyButton text={setKubeconfig} label="Copy the command for KUBECONFIG" />
      </p>
      {cluster.isEmbedded && (
        <>
          <Time ahead={cluster.ahead} />
          <Pods {...props} />
          <h2>Faults</h2>
          <p class="buttons">
            <ActionButton action={{ action: 'conflict' }} label="Inject a conflict">
              Inject a conflict
            </ActionButton>
            <span class="muted">The next update or patch of the operator fails with 409.</span>
          </p>
          <Snapshots snapshots={cluster.snapshots} />
        </>
      )}
    </>
  );
}

/** Holds all reconciles, lets them run, or lets one run. */
export function PauseButtons({ isPaused }: { isPaused: boolean }) {
  return isPaused ? (
    <>
      <ActionButton action={{ action: 'resume' }} label="Resume all">
        Resume all
      </ActionButton>
      <ActionButton action={{ action: 'step' }} label="Step">
        Step
      </ActionButton>
    </>
  ) : (
    <ActionButton action={{ action: 'pause' }} label="Pause all">
      Pause all
    </ActionButton>
  );
}

const steps = [
  [60, '1 minute'],
  [600, '10 minutes'],
  [3600, '1 hour'],
  [86_400, '1 day'],
] as const;

function Time({ ahead }: { ahead: number }) {
  const act = useContext(ActContext);
  const [minutes, setMinutes] = useState('');
  return (
    <>
      <h2>Time</h2>
      <p>
        {ahead === 0
          ? 'The cluster has the time of this machine.'
          : `The cluster is ${formatDuration(ahead)} ahead of this machine.`}
      </p>
      <form
        class="buttons"
        onSubmit={(event) => {
          event.preventDefault();
          act({ action: 'advance', seconds: Number(minutes) * 60 }, `Advance by ${minutes} minutes`);
        }}
      >
        {steps.map(([seconds, text]) => (
          <ActionButton key={seconds} action={{ action: 'advance', seconds }} label={`Advance by ${text}`}>
            Advance by {text}
          </ActionButton>
        ))}
        <label>
          Minutes{' '}
          <input
            type="number"
            min="0"
            step="any"
            required
            value={minutes}
            onInput={({ currentTarget }) => setMinutes(currentTarget.value)}
          />
        </label>
        <button type="submit">Advance</button>
      </form>
    </>
  );
}

function Pods({ state }: ViewProps) {
  const pods = Object.values(state.objects)
    .filter(({ kind, apiVersion, isGone }) => kind === 'Pod' && apiVersion === 'v1' && !isGone)
    .toSorted(compareNames);
  const [chosen, setChosen] = useState('');
  const pod = pods.find(({ uid }) => uid === chosen) ?? pods[0];
  if (!pod) return null;
  const { namespace = '', name } = pod;
  return (
    <>
      <h2>Pods</h2>
      <p class="buttons">
        <label>
          Pod{' '}
          <select value={pod.uid} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {pods.map((each) => (
              <option key={each.uid} value={each.uid}>
                {nameOf(each)}
              </option>
            ))}
          </select>
        </label>
        <ActionButton action={{ action: 'fail-pod', namespace, name }} label={`Fail pod ${name}`}>
          Fail pod
        </ActionButton>
        <ActionButton action={{ action: 'evict-pod', namespace, name }} label={`Evict pod ${name}`}>
          Evict pod
        </ActionButton>
      </p>
    </>
  );
}

function Snapshots({ snapshots }: { snapshots: readonly string[] }) {
  return (
    <>
      <h2>Snapshots</h2>
      <p class="buttons">
        <ActionButton action={{ action: 'snapshot' }} label="Take a snapshot">
          Take a snapshot
        </ActionButton>
        <span class="muted">of everything in the cluster</span>
      </p>
      {snapshots.length > 0 && (
        <ul class="plain-list">
          {snapshots.map((snapshot) => (
            <li key={snapshot} class="buttons">
              {snapshot}{' '}
              <ActionButton action={{ action: 'restore', snapshot }} label={`Return to it: ${snapshot}`}>
                Return to it
              </ActionButton>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
