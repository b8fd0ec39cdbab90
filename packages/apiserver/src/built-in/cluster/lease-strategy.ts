import type { Lease } from 'ots-kubernetes/coordination/v1';
import { type FieldError, invalid } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';

/** Leases: who leads, or is alive, and until when. */
export class LeaseStrategy extends BuiltInStrategy {
  override prepareForCreate(lease: BuiltInObject<Lease>): void {
    super.prepareForCreate(lease);
    dropCoordination(lease, {});
  }

  override prepareForUpdate(lease: BuiltInObject<Lease>, old: BuiltInObject<Lease>): void {
    super.prepareForUpdate(lease, old);
    dropCoordination(lease, old.spec ?? {});
  }

  override validate({ spec = {} }: BuiltInObject<Lease>): FieldError[] {
    const { leaseDurationSeconds, leaseTransitions } = spec;
    return [
      ...(leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0
        ? [invalid('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0')]
        : []),
      ...(leaseTransitions !== undefined && leaseTransitions < 0
        ? [invalid('spec.leaseTransitions', leaseTransitions, 'must be greater than or equal to 0')]
        : []),
    ];
  }
}

/** Keeps the fields of coordinated leader election, which is off by default, only where they already exist. */
function dropCoordination({ spec }: Lease, old: NonNullable<Lease['spec']>): void {
  if (old.strategy === undefined) delete spec?.strategy;
  if (old.preferredHolder === undefined) delete spec?.preferredHolder;
}
