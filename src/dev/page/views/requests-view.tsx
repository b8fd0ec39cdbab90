import type { DevState, RequestState } from '../../model/dev-state.ts';
import { nameOf } from '../objects/session-index.ts';
import { formatDuration } from '../parts/format-time.ts';
import { Clock } from '../parts/links.tsx';
import { memo } from '../parts/memo.ts';
import { CodeMark, isRead } from '../parts/request-parts.tsx';
import { Table } from '../parts/table.tsx';
import { setFilter } from '../route.ts';
import type { ViewProps } from '../view-props.ts';

/** What the operator asked the API server for, and what its cache answered. */
export function RequestsView({ state, route, now }: ViewProps) {
  const { only = '' } = route.filters;
  const isShown = {
    '': () => true,
    failed: ({ code }: RequestState) => code >= 400,
    conflicts: ({ code }: RequestState) => code === 409,
    writes: ({ verb }: RequestState) => !isRead(verb),
  }[only];
  const requests = state.requests.filter(isShown ?? (() => true));
  return (
    <>
      <h2>In reconciles</h2>
      <Totals state={state} />
      <h2>At the API server</h2>
      <Rate requests={state.requests} now={now} />
      <p class="filters">
        <label>
          Show{' '}
          <select
            value={only}
            onChange={({ currentTarget }) => setFilter(route, 'only', currentTarget.value)}
          >
            <option value="">all</option>
            <option value="writes">writes</option>
            <option value="failed">failures</option>
            <option value="conflicts">conflicts</option>
          </select>
        </label>
      </p>
      <Table
        caption="Requests of the operator to the API server, newest first"
        headings={['Time', 'Verb', 'Resource', 'Object', 'Status', 'Took']}
        empty="No requests."
      >
        {requests.toReversed().map((request, position) => (
          <RequestRow key={`${request.at} ${requests.length - position}`} request={request} />
        ))}
      </Table>
    </>
  );
}

const RequestRow = memo(function draw({ request }: { request: RequestState }) {
  const { at, verb, resource, path, namespace, name, code, duration } = request;
  return (
    <tr>
      <th scope="row">
        <Clock at={at} />
      </th>
      <td>{verb}</td>
      <td>{resource === '' ? path : resource}</td>
      <td>{name === undefined ? namespace : nameOf({ ...request, name })}</td>
      <td>
        <CodeMark code={code} />
      </td>
      <td class="number">{formatDuration(duration)}</td>
    </tr>
  );
});

/** Per verb and resource: how often from the cache, how often live, how many conflicts and other failures. */
function Totals({ state }: { state: DevState }) {
  const totals = new Map<string, { cache: number; live: number; conflicts: number; failed: number }>();
  for (const { verb, resource, code = 200, from } of state.reconciles.flatMap(({ requests }) => requests)) {
    const key = `${verb} ${resource}`;
    const total = totals.get(key) ?? { cache: 0, live: 0, conflicts: 0, failed: 0 };
    if (from === 'cache') total.cache += 1;
    else total.live += 1;
    if (code === 409) total.conflicts += 1;
    else if (code >= 400) total.failed += 1;
    totals.set(key, total);
  }
  return (
    <Table
      caption="Requests of the reconciles that are kept, by verb and resource"
      headings={['Request', 'From the cache', 'Live', 'Conflicts', 'Other failures']}
      empty="No reconcile asked for anything yet."
    >
      {[...totals]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([name, { cache, live, conflicts, failed }]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{cache || ''}</td>
            <td class="number">{live || ''}</td>
            <td class="number">{conflicts || ''}</td>
            <td class="number">{failed || ''}</td>
          </tr>
        ))}
    </Table>
  );
}

const seconds = 60;
const height = 24;

/** A bar per second of the last minute. */
function Rate({ requests, now }: { requests: readonly RequestState[]; now: number }) {
  const counts = Array<number>(seconds).fill(0);
  for (const { at } of requests) {
    const age = Math.floor((now - Date.parse(at)) / 1000);
    if (age >= 0 && age < seconds) counts[seconds - 1 - age]! += 1;
  }
  const most = Math.max(...counts);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <p class="rate">
      <svg viewBox={`0 0 ${seconds * 3} ${height}`} width={seconds * 3} height={height} aria-hidden="true">
        {counts.map((count, second) => {
          const size = most === 0 ? 0 : (count / most) * height;
          return <rect key={second} x={second * 3} y={height - size} width="2" height={size} />;
        })}
      </svg>{' '}
      {total} in the last minute, at most {most} per second
    </p>
  );
}
