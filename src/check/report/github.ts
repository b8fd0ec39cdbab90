import type { Finding } from '../finding.ts';

/**
 * A finding as a workflow command, which GitHub shows beside the line
 * (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands).
 *
 * @param prefix of the path, from the root of the repository: empty, or ending in a slash
 */
export function githubCommand(
  { rule, severity, file, line, column, message, hint }: Finding,
  prefix: string,
): string {
  const properties = [
    `file=${property(`${prefix}${file}`)}`,
    `line=${line}`,
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${property(`ots check: ${rule}`)}`,
  ];
  return `::${severity} ${properties.join(',')}::${data(`${message}\n${hint}`)}`;
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
