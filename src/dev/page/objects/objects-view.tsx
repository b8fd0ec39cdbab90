import { Fragment } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { ObjectState } from '../../model/dev-state.ts';
import { ActionButton } from '../parts/actions.tsx';
import { formatAge } from '../parts/format-time.ts';
import { memo } from '../parts/memo.ts';
import { Table } from '../parts/table.tsx';
import { hrefOf, setFilter } from '../route.ts';
import type { ViewProps } from '../view-props.ts';
import { ObjectStatus } from './conditions.tsx';
import { ObjectDetail } from './object-detail.tsx';
import { treeRows } from './object-tree.ts';
import { nameOf } from './session-index.ts';

export function ObjectsView(props: ViewProps) {
  const { state, route, now } = props;
  const object = route.id === undefined ? undefined : state.objects[route.id];
  return (
    <div class={route.id === undefined ? undefined : 'split'}>
      <section class="list" aria-label="All objects">
        <ObjectTree {...props} />
      </section>
      {route.id !== undefined && (
        <section class="detail" aria-label="Object" tabIndex={-1}>
          <p>
            <a href={hrefOf('objects', undefined, route.filters)}>Close</a>
          </p>
          {object ? (
            <ObjectDetail {...props} object={object} now={now} />
          ) : (
            <p>The session does not know this object any longer.</p>
          )}
        </section>
      )}
    </div>
  );
}

function ObjectTree({ state, route, now }: ViewProps) {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const { filter = '' } = route.filters;
  const rows = useMemo(
    () => treeRows(state.objects, { collapsed, filter }),
    [state.objects, collapsed, filter],
  );
  const toggle = useCallback((uid: string) => {
    setCollapsed((before) => {
      const after = new Set(before);
      if (!after.delete(uid)) after.add(uid);
      return after;
    });
  }, []);
  return (
    <>
      <p class="filters">
        <label>
          Filter{' '}
          <input
            type="search"
            value={filter}
            placeholder="kind or name"
            onInput={({ currentTarget }) => setFilter(route, 'filter', currentTarget.value)}
          />
        </label>
      </p>
      <Table
        class="tree"
        caption="Objects by owner"
        headings={['Object', 'Status', 'Columns', 'Finalizers', 'Age']}
        empty={
          filter === ''
            ? 'No objects yet. Apply the samples, or create one with kubectl.'
            : 'No object matches.'
        }
      >
        {rows.map(({ object, level, children }) => (
          <ObjectRow
            key={object.uid}
            object={object}
            level={level}
            children={children}
            isOpen={filter !== '' || !collapsed.has(object.uid)}
            isCurrent={object.uid === route.id}
            href={hrefOf('objects', object.uid, route.filters)}
            age={formatAge(object.createdAt, now)}
            toggle={toggle}
          />
        ))}
      </Table>
      {Object.keys(state.objects).length === 0 && (
        <ActionButton action={{ action: 'apply-samples' }} label="Apply samples">
          Apply samples
        </ActionButton>
      )}
    </>
  );
}

const ObjectRow = memo(function draw(props: {
  object: ObjectState;
  level: number;
  children: number;
  isOpen: boolean;
  isCurrent: boolean;
  href: string;
  age: string;
  toggle: (uid: string) => void;
}) {
  const { object, level, children, isOpen, isCurrent, href, age, toggle } = props;
  const name = `${object.kind} ${nameOf(object)}`;
  return (
    <tr class={object.isGone ? 'gone' : undefined}>
      <th scope="row">
        <span class="indent" style={{ '--level': level - 1 }}>
          {children > 0 ? (
            <button
              type="button"
              class="toggle"
              aria-expanded={isOpen}
              aria-label={`What ${name} owns (${children})`}
              onClick={() => toggle(object.uid)}
            >
              <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span>
            </button>
          ) : (
            <span class="toggle" aria-hidden="true" />
          )}
          <a href={href} aria-current={isCurrent ? 'true' : undefined}>
            <span class="hidden">Level {level}: </span>
            <span class="muted">{object.kind}</span> {nameOf(object)}
          </a>
        </span>
      </th>
      <td>
        <ObjectStatus object={object} />
      </td>
      <td class="optional">
        {object.columns.map((column) => (
          <Fragment key={column.name}>
            <span class="column">
              <span class="muted">{column.name}</span> {column.value}
            </span>{' '}
          </Fragment>
        ))}
      </td>
      <td class="optional">{object.finalizers.join(', ')}</td>
      <td class="number">{age}</td>
    </tr>
  );
});
