import { CopyButton } from '../parts/actions.tsx';
import { Table } from '../parts/table.tsx';
import { Mark } from '../parts/tone.tsx';
import type { ViewProps } from '../view-props.ts';

/** What the roles of the operator grant, beside what it used. */
export function RightsView({ state }: ViewProps) {
  const { granted, missing } = state.rights;
  const unused = granted.filter(({ isUsed }) => !isUsed).length;
  return (
    <>
      <p>
        The operator runs as <code>{state.operator.user}</code>.
      </p>
      <h2>Missing</h2>
      {missing.length > 0 && <p>Copy the rule into the comment above your controller, and save.</p>}
      <Table
        caption="Rules that are missing"
        headings={['Rule', 'Denied', '(Actions)']}
        empty="The API server denied nothing."
      >
        {missing.map(({ rule, count }) => (
          <tr key={rule}>
            <th scope="row">
              <code>{rule}</code>
            </th>
            <td class="number">
              {count} {count === 1 ? 'time' : 'times'}
            </td>
            <td>
              <CopyButton text={rule} label={`Copy ${rule}`} />
            </td>
          </tr>
        ))}
      </Table>
      <h2>Granted</h2>
      <p>
        {granted.length - unused} of {granted.length} are used in this session.
      </p>
      <Table
        caption="Rules that are granted"
        headings={['Rule', 'Role', 'Used']}
        empty="The roles grant nothing."
      >
        {granted.map(({ role, rule, isUsed }) => (
          <tr key={`${role} ${rule}`}>
            <th scope="row">
              <code>{rule}</code>
            </th>
            <td>{role}</td>
            <td>{isUsed ? <Mark tone="good">used</Mark> : <Mark tone="plain">not used yet</Mark>}</td>
          </tr>
        ))}
      </Table>
      {!state.cluster.isEmbedded && (
        <p class="muted">Another cluster decides here: what its other roles grant is not listed.</p>
      )}
    </>
  );
}
