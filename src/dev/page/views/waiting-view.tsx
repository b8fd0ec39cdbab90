import type { QueueEntryState, QueueState } from '../../model/dev-state.ts';
import { requestOf } from '../objects/session-index.ts';
import { ObjectButtons } from '../parts/actions.tsx';
import { formatAge, formatDuration } from '../parts/format-time.ts';
import { RequestName } from '../parts/links.tsx';
import { Table } from '../parts/table.tsx';
import { Mark, type Tone } from '../parts/tone.tsx';
import type { ViewProps } from '../view-props.ts';

/** What waits, and why. */
export function WaitingView(props: ViewProps) {
  const { queues } = props.state;
  if (queues.length === 0) return <p class="muted">No controller has started yet.</p>;
  return (
    <>
      {queues.map((queue) => (
        <Queue key={queue.controller} {...props} queue={queue} />
      ))}
    </>
  );
}

const texts: Readonly<Record<QueueEntryState['state'], readonly [Tone, string]>> = {
  running: ['plain', 'runs'],
  ready: ['wait', 'waits for a worker'],
  held: ['wait', 'waits for you: step or resume it'],
  backoff: ['bad', 'failed, is tried again'],
  requeue: ['plain', 'asked for a later time'],
};

function Queue({ state, index, now, queue }: ViewProps & { queue: QueueState }) {
  const { controller, entries } = queue;
  return (
    <section>
      <h2>{controller}</h2>
      <Table
        caption={`Queue of ${controller}`}
        headings={['Object', 'State', 'When', 'Why', '(Actions)']}
        empty="Nothing waits."
      >
        {entries.map((entry) => {
          const request = requestOf({ ...entry, controller });
          const [tone, text] = texts[entry.state];
          return (
            <tr key={`${entry.namespace}/${entry.name} ${entry.state}`}>
              <th scope="row">
                <RequestName of={request} object={index.objectOf(request)} />
              </th>
              <td>
                <Mark tone={tone}>{text}</Mark>
              </td>
              <td class="number">{entry.at && whenText(entry.at, now)}</td>
              <td>
                {entry.reasons.map((reason) => (
                  <div key={reason}>{reason}</div>
                ))}
              </td>
              <td>
                <ObjectButtons state={state} request={request} />
              </td>
            </tr>
          );
        })}
      </Table>
    </section>
  );
}

function whenText(at: string, now: number): string {
  const ahead = Date.parse(at) - now;
  return ahead > 0 ? `in ${formatDuration(Math.ceil(ahead / 1000))}` : `since ${formatAge(at, now)}`;
}
