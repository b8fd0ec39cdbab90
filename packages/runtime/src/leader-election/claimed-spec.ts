import type { LeaseSpec } from 'ots-kubernetes/coordination/v1';
import { microTime } from '../clock/micro-time.ts';

/** Who claims a lease, for how long, and when. */
export interface Claim {
  identity: string;
  /** In milliseconds. */
  leaseDuration: number;
  /** The time of day, in milliseconds since 1970. */
  epoch: number;
}

/** The spec of a lease that this claim acquires or renews. Fields that elections do not know of stay as they are. */
export function claimedSpec(
  spec: LeaseSpec | undefined,
  { identity, leaseDuration, epoch }: Claim,
): LeaseSpec {
  const time = microTime(epoch);
  const renews = spec?.holderIdentity === identity;
  const transitions = spec?.leaseTransitions ?? 0;
  return {
    ...spec,
    holderIdentity: identity,
    // Rounded up: others must not take over early.
    leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
    acquireTime: renews ? (spec.acquireTime ?? time) : time,
    renewTime: time,
    leaseTransitions: spec === undefined || renews ? transitions : transitions + 1,
  };
}

/** The spec of a released lease: no holder, and a duration that requires no wait. */
export function releasedSpec(spec: LeaseSpec | undefined, epoch: number): LeaseSpec {
  const time = microTime(epoch);
  return { ...spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}
