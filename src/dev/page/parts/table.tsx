import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** More rows are drawn when the reader asks for them: a browser needs half a second for a thousand. */
const maxRows = 200;

/** A table that scrolls sideways by itself when the window is narrow. */
export function Table(props: {
  /** What it lists, for screen readers. */
  caption: string;
  /** A heading in parentheses is for screen readers only. */
  headings: readonly string[];
  /** Says why the table is empty. */
  empty: string;
  class?: string;
  children: readonly ComponentChildren[];
}) {
  const { caption, headings, empty, children } = props;
  const [hasAll, setHasAll] = useState(false);
  if (children.length === 0) return <p class="muted">{empty}</p>;
  return (
    <>
      <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
        <table class={props.class}>
          <caption class="hidden">{caption}</caption>
          <thead>
            <tr>
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading.startsWith('(') ? <span class="hidden">{heading.slice(1, -1)}</span> : heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{hasAll ? children : children.slice(0, maxRows)}</tbody>
        </table>
      </div>
      {!hasAll && children.length > maxRows && (
        <p>
          <button type="button" onClick={() => setHasAll(true)}>
            Show all {children.length} rows
          </button>
        </p>
      )}
    </>
  );
}
