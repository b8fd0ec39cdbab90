import type { DeleteOptions } from './request-options.ts';

/** What is sent with a deletion. */
export function deleteBody({
  preconditions,
  propagationPolicy,
  gracePeriodSeconds,
  dryRun,
}: DeleteOptions): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions,
    propagationPolicy,
    gracePeriodSeconds,
    dryRun: dryRun ? ['All'] : undefined,
  };
}
