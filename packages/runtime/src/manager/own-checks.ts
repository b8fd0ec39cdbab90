import type { Clock } from 'ots-apimachinery/clock/clock';
import { HealthChecks } from '../health/health-checks.ts';
import type { Endpoints } from '../health/health-server.ts';
import type { Logger } from '../logging/logger.ts';

/** The parts of a manager that its own checks cover. */
export interface CheckedParts {
  lifecycle: { readonly problem: string | undefined };
  cache: { commonProblems(): string[] };
  /** Undefined without leader election. */
  election: { readonly problem: string | undefined } | undefined;
  /** Undefined without sharding. */
  sharding: { readonly problem: string | undefined } | undefined;
}

/** Creates the probe endpoints with the checks that every manager has. */
export function ownChecks(
  { lifecycle, cache, election, sharding }: CheckedParts,
  options: { clock: Clock; logger: Logger },
): Endpoints {
  const healthz = new HealthChecks('healthz', options);
  const readyz = new HealthChecks('readyz', options);
  healthz.add('ping', () => {});
  readyz.add('manager', () => lifecycle.problem);
  readyz.add('informers', () => cache.commonProblems().join('; '));
  if (election) readyz.add('leader-election', () => election.problem);
  if (sharding) readyz.add('sharding', () => sharding.problem);
  return { healthz, readyz };
}
