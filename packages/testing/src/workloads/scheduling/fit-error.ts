import type { Rejection } from './filter.ts';

/**
 * Says why no node fits, as kube-scheduler does: `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) were unschedulable.`
 *
 * @param rejections one per node
 */
export function fitError(rejections: readonly Rejection[]): string {
  const counts = new Map<string, number>();
  for (const { reasons } of rejections)
    for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return unavailable(
    rejections.length,
    [...counts]
      .map(([reason, count]) => `${count} ${reason}`)
      .toSorted()
      .join(', '),
  );
}

/** The same for a reason that no node can change. */
export function unavailable(nodes: number, reason: string): string {
  return `0/${nodes} nodes are available: ${reason}.`;
}
