import type { LeaseSpec } from 'ots-kubernetes/coordination/v1';
import { microTime } from '../clock/micro-time.ts';

/** The holder that claims a lease, for how long, and when. */
export interface Claim {
  identity: string;
  /** In milliseconds. */
  leaseDuration: number;
  /** The current time, in milliseconds since 1970. */
  epoch: number;
}

/** Returns the spec of a lease that this claim acquires or renews. Keeps fields that elections do not use. */
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
    // Rounded up, so others do not take over early.
    leaseDurationSeconds: Math.ceil(leaseDuration / 1000),
    acquireTime: renews ? (spec.acquireTime ?? time) : time,
    renewTime: time,
    leaseTransitions: spec === undefined || renews ? transitions : transitions + 1,
  };
}

/** Returns the spec of a released lease: no holder, and a duration that requires no wait. */
export function releasedSpec(spec: LeaseSpec | undefined, epoch: number): LeaseSpec {
  const time = microTime(epoch);
  return { ...spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time };
}
