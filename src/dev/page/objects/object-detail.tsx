import type { ComponentChildren } from 'preact';
import type { ChangeState, ManagerState, ObjectState } from '../../model/dev-state.ts';
import { ActionButton, ObjectButtons } from '../parts/actions.tsx';
import { formatAge } from '../parts/format-time.ts';
import { Diff } from '../parts/json-block.tsx';
import { Clock, ObjectLink } from '../parts/links.tsx';
import { Table } from '../parts/table.tsx';
import { ReconcileTable } from '../reconciles/reconcile-table.tsx';
import { hrefOf } from '../route.ts';
import type { ViewProps } from '../view-props.ts';
import { LogTable, linesAbout } from '../views/log-table.tsx';
import { ConditionMark, ObjectStatus } from './conditions.tsx';
import { isSameRequest, nameOf } from './session-index.ts';

/** Everything about one object. */
export function ObjectDetail(props: ViewProps & { object: ObjectState }) {
  const { state, index, object, now } = props;
  const requests = index.requestsFor(object);
  const reconciles = state.reconciles.filter((reconcile) =>
    requests.some((request) => isSameRequest(request, reconcile)),
  );
  return (
    <>
      <h2>
        <span class="muted">{object.kind}</span> {nameOf(object)}
      </h2>
      <p>
        <ObjectStatus object={object} />
      </p>
      <p class="buttons">
        {requests.map((request) => (
          <ObjectButtons key={request.controller} state={state} request={request} />
        ))}
        <PodButtons {...props} />
      </p>
      <Facts {...props} />
      <Conditions object={object} now={now} />
      <h3>Changes</h3>
      {object.changes.length === 0 && <p class="muted">None since the session began.</p>}
      {object.changes.toReversed().map((change, position) => (
        <Change key={change.resourceVersion} change={change} isOpen={position === 0} />
      ))}
      <h3>Who owns which field</h3>
      <Managers managers={object.managers} />
      {requests.length > 0 && (
        <>
          <h3>Reconciles</h3>
          <ReconcileTable {...props} reconciles={reconciles.slice(-20)} />
          <p>
            <a href={hrefOf('reconciles', undefined, { object: object.uid })}>All of them, on a timeline</a>
          </p>
        </>
      )}
      <h3>Events and logs</h3>
      <LogTable {...props} lines={linesAbout(props, { object: object.uid }).slice(-20)} />
      <p>
        <a href={hrefOf('log', undefined, { object: object.uid })}>All of them</a>
      </p>
      <details>
        <summary>The object as JSON</summary>
        <pre class="block" tabIndex={0}>
          {JSON.stringify(object.object, undefined, 2)}
        </pre>
      </details>
    </>
  );
}

/** Breaks a pod, in a cluster that runs it itself. */
function PodButtons({ state, object }: ViewProps & { object: ObjectState }) {
  const { kind, apiVersion, namespace, name, isGone } = object;
  if (!state.cluster.isEmbedded || kind !== 'Pod' || apiVersion !== 'v1' || isGone || !namespace) return null;
  return (
    <>
      <ActionButton action={{ action: 'fail-pod', namespace, name }} label={`Fail pod ${name}`}>
        Fail pod
      </ActionButton>
      <ActionButton action={{ action: 'evict-pod', namespace, name }} label={`Evict pod ${name}`}>
        Evict pod
      </ActionButton>
    </>
  );
}

function Facts({ state, object, now }: ViewProps & { object: ObjectState }) {
  const { createdAt, deletedAt, finalizers, columns } = object;
  const owners = object.owners.flatMap((uid) => state.objects[uid] ?? []);
  const owned = Object.values(state.objects).filter((other) => other.owners.includes(object.uid));
  return (
    <dl class="facts">
      <Fact name="Version">
        {object.apiVersion}, resource version {object.resourceVersion}
      </Fact>
      <Fact name="Created">
        {formatAge(createdAt, now)} ago at <Clock at={createdAt} />
      </Fact>
      {deletedAt !== undefined && (
        <Fact name="Deletion requested">
          {formatAge(deletedAt, now)} ago at <Clock at={deletedAt} />
        </Fact>
      )}
      {finalizers.length > 0 && <Fact name="Finalizers">{finalizers.join(', ')}</Fact>}
      {columns.map(({ name, value }) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
      {owners.length > 0 && (
        <Fact name="Owned by">
          <Links objects={owners} />
        </Fact>
      )}
      {owned.length > 0 && (
        <Fact name="Owns">
          <Links objects={owned} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Links({ objects }: { objects: readonly ObjectState[] }) {
  return (
    <ul class="inline">
      {objects.map((object) => (
        <li key={object.uid}>
          <ObjectLink object={object} />
        </li>
      ))}
    </ul>
  );
}

function Conditions({ object, now }: { object: ObjectState; now: number }) {
  if (object.conditions.length === 0) return null;
  return (
    <>
      <h3>Conditions</h3>
      <Table caption="Conditions" headings={['Condition', 'Message', 'Since']} empty="">
        {object.conditions.map((condition) => (
          <tr key={condition.type}>
            <th scope="row">
              <ConditionMark condition={condition} />
            </th>
            <td>{condition.message}</td>
            <td class="number">{condition.changedAt && formatAge(condition.changedAt, now)}</td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Change({ change, isOpen }: { change: ChangeState; isOpen: boolean }) {
  const { at, resourceVersion, fields, more } = change;
  const [first] = fields;
  return (
    <details class="change" open={isOpen}>
      <summary>
        <Clock at={at} /> {first ? first.path : 'nothing that is shown'}
        {fields.length + more > 1 && ` and ${fields.length + more - 1} more`}{' '}
        <span class="muted">version {resourceVersion}</span>
      </summary>
      {fields.map(({ path, before, after }) => (
        <div key={path}>
          <code>{path}</code>
          <Diff before={before} after={after} />
        </div>
      ))}
      {more > 0 && <p class="muted">{more} more fields changed.</p>}
    </details>
  );
}

function Managers({ managers }: { managers: readonly ManagerState[] }) {
  return (
    <Table
      caption="Field managers"
      headings={['Manager', 'Operation', 'Fields']}
      empty="The object has no managed fields."
    >
      {managers.map(({ manager, operation, subresource, fields }) => (
        <tr key={`${manager} ${operation} ${subresource}`}>
          <th scope="row">{manager}</th>
          <td>
            {operation}
            {subresource !== undefined && ` of ${subresource}`}
          </td>
          <td>
            <ul class="inline code">
              {fields.map((field) => (
                <li key={field}>{field}</li>
              ))}
            </ul>
          </td>
        </tr>
      ))}
    </Table>
  );
}
