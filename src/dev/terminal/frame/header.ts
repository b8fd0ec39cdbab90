import type { DevState } from '../../model/dev-state.ts';
import { describeDuration, describeRemains, phaseStyles } from '../describe.ts';
import { joinParts } from '../fit-line.ts';
import { type Line, span } from '../line.ts';

/** The project, its operator, and where cluster and page are; in one row if two are too many. */
export function header(
  { project, cluster, operator }: DevState,
  pageUrl: string | undefined,
  { columns, rows }: { readonly columns: number; readonly rows: 1 | 2 },
): Line[] {
  const remains = describeRemains(operator);
  const waiting = operator.isPaused ? 'all reconciles' : operator.pausedObjects.join(', ');
  const status: Line[] = [
    [span(project, 'bold'), span('  ● ', phaseStyles[operator.phase]), span(operator.phase)],
    ...(remains === undefined ? [] : [[span(remains)]]),
    ...(waiting === '' ? [] : [[span(`paused: ${waiting}`, 'yellow')]]),
    ...(cluster.ahead < 60 ? [] : [[span(`time +${describeDuration(cluster.ahead)}`, 'yellow')]]),
    ...(operator.starts > 1 ? [[span(`${operator.starts} starts`, 'dim')]] : []),
  ];
  const addresses: Line[] = [
    ...(pageUrl === undefined ? [] : [[span('page ', 'dim'), span(pageUrl, 'cyan')]]),
    ...(cluster.url === '' ? [] : [[span('cluster ', 'dim'), span(cluster.url)]]),
  ];
  if (rows === 1) return [joinParts([...status, ...addresses], columns)];
  return [joinParts(status, columns), joinParts(addresses, columns)];
}
