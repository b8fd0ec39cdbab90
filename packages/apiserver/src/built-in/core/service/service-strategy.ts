import type { Service } from 'ots-kubernetes/core/v1';
import { invalidObject } from '../../../status/errors.ts';
import type { FieldError } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy, type BuiltInTraits } from '../../../registry/built-in-strategy.ts';
import type { StrategyContext } from '../../strategy-factory.ts';
import { allocateClusterIps, allocateNodePorts } from './allocate-service.ts';
import { dropInapplicable } from './drop-inapplicable.ts';
import { alignClusterIps, keepAllocated } from './keep-allocated.ts';
import { ServiceAllocations } from './service-allocations.ts';
import { serviceTraits } from './service-traits.ts';
import { setServiceDefaults } from './set-service-defaults.ts';
import { resolveIpFamilies } from './resolve-ip-families.ts';
import { validateService } from './validate-service.ts';
import { validateServiceStatus } from './validate-service-status.ts';
import { validateServiceUpdate } from './validate-service-update.ts';
import { warningsForService } from './warnings-for-service.ts';

/** Services: the server allocates their addresses and ports until they are deleted. */
export class ServiceStrategy extends BuiltInStrategy {
  readonly #allocations: ServiceAllocations;

  constructor(traits: BuiltInTraits, { table, random }: StrategyContext) {
    super(traits);
    this.#allocations = new ServiceAllocations(table, random);
  }

  override setDefaults(object: BuiltInObject<Service>): void {
    setServiceDefaults(object);
  }

  override prepareForCreate(object: BuiltInObject<Service>): void {
    const spec = (object.spec ??= {});
    alignClusterIps(spec, undefined);
    this.#refuse(object, resolveIpFamilies(spec, undefined));
    this.#refuse(object, allocateClusterIps(object.metadata.name ?? '', spec, this.#allocations));
    this.#refuse(object, allocateNodePorts(spec, undefined, this.#allocations));
    super.prepareForCreate(object);
    object.status = { loadBalancer: {} };
  }

  override prepareForUpdate(object: BuiltInObject<Service>, old: BuiltInObject<Service>): void {
    const spec = (object.spec ??= {});
    const { spec: oldSpec = {} } = old;
    keepAllocated(spec, oldSpec);
    alignClusterIps(spec, oldSpec);
    this.#refuse(object, resolveIpFamilies(spec, oldSpec));
    if (!serviceTraits.needsClusterIp(oldSpec))
      this.#refuse(object, allocateClusterIps(object.metadata.name ?? '', spec, this.#allocations));
    this.#refuse(object, allocateNodePorts(spec, oldSpec, this.#allocations));
    super.prepareForUpdate(object, old);
    dropInapplicable(spec, oldSpec);
    if (spec.type !== 'LoadBalancer') object.status = { ...object.status, loadBalancer: {} };
  }

  override validate(object: BuiltInObject<Service>): FieldError[] {
    return validateService(object, undefined);
  }

  override validateUpdate(object: BuiltInObject<Service>, old: BuiltInObject<Service>): FieldError[] {
    return validateServiceUpdate(object, old);
  }

  override validateStatusUpdate(object: BuiltInObject<Service>, old: BuiltInObject<Service>): FieldError[] {
    return validateServiceStatus(object, old);
  }

  /** An ExternalName Service has no traffic: a real server validates its policy, and does not show it. */
  override toStorage(object: BuiltInObject<Service>): BuiltInObject<Service> {
    const { spec } = object;
    if (spec?.type !== 'ExternalName' || spec.internalTrafficPolicy === undefined) return object;
    const { internalTrafficPolicy: _, ...shown } = spec;
    return { ...object, spec: shown };
  }

  override warningsFor(object: BuiltInObject<Service>): string[] {
    return warningsForService(object);
  }

  /** Allocation errors come before all others. */
  #refuse({ metadata }: BuiltInObject<Service>, errors: readonly FieldError[]): void {
    if (errors.length > 0) throw invalidObject({ group: '', name: 'Service' }, metadata.name ?? '', errors);
  }
}
