import type { ComponentChildren } from 'preact';

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
  if (children.length === 0) return <p class="muted">{empty}</p>;
  return (
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
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
