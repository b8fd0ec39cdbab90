import type { FlagTable } from './flag-definition.ts';

/** Returns the text of `--help`: each flag with its purpose, its default and its environment variable. */
export function helpText(table: FlagTable): string {
  const entries = Object.entries(table)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { type, placeholder = 'value', help, default: value, env }]) => {
      const usage = type === 'boolean' ? `--${name}` : `--${name} <${placeholder}>`;
      const notes = [
        value === undefined || value === false ? [] : [`default ${value}`],
        env === undefined ? [] : [`environment ${env}`],
      ].flat();
      return `  ${usage}\n      ${help}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}\n`;
    });
  return `Flags:\n${entries.join('')}
Environment:
  WATCH_NAMESPACE
      The namespaces to watch, separated by commas; all of them when unset or empty.
  WATCH_NAMESPACE_SELECTOR
      The labels of the namespaces to watch, such as team=a, instead of their names.
`;
}
