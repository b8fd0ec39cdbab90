import type { CSIDriver, CSIDriverSpec, TokenRequest } from 'ots-kubernetes/storage/v1';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, duplicate, invalid, notSupported } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';

const groupPolicies: readonly unknown[] = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes: readonly unknown[] = ['Persistent', 'Ephemeral'];

const tokenAdvice =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

/** CSIDrivers: what the kubelet and controllers need to know of a storage driver. */
export class CsiDriverStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: BuiltInObject<CSIDriver>): void {
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
  }

  override prepareForCreate(object: BuiltInObject<CSIDriver>): void {
    super.prepareForCreate(object);
    // Its feature gate is off.
    delete object.spec.preventPodSchedulingIfMissing;
  }

  override prepareForUpdate(object: BuiltInObject<CSIDriver>, old: BuiltInObject<CSIDriver>): void {
    super.prepareForUpdate(object, old);
    delete object.spec.preventPodSchedulingIfMissing;
    // The generation counts changes, but does not start with the creation.
    const { generation = 0 } = old.metadata;
    if (!jsonEqual(object.spec, old.spec)) object.metadata.generation = generation + 1;
  }

  override warningsFor(
    { spec }: BuiltInObject<CSIDriver>,
    old: BuiltInObject<CSIDriver> | undefined,
  ): string[] {
    const { tokenRequests, serviceAccountTokenInSecrets } = spec;
    const isNews = tokenRequests && !jsonEqual(tokenRequests, old?.spec.tokenRequests);
    return isNews && serviceAccountTokenInSecrets === undefined ? [tokenAdvice] : [];
  }

  override validate({ spec }: BuiltInObject<CSIDriver>): FieldError[] {
    const { fsGroupPolicy, tokenRequests = [], volumeLifecycleModes = [] } = spec;
    return [
      ...(fsGroupPolicy === undefined || groupPolicies.includes(fsGroupPolicy)
        ? []
        : [notSupported('spec.fsGroupPolicy', fsGroupPolicy, groupPolicies)]),
      ...validateTokenRequests(tokenRequests),
      ...volumeLifecycleModes
        .filter((mode) => !lifecycleModes.includes(mode))
        .map((mode) => notSupported('spec.volumeLifecycleModes', mode, lifecycleModes)),
      ...validateTokenPlace(spec),
    ];
  }

  override validateUpdate(object: BuiltInObject<CSIDriver>, old: BuiltInObject<CSIDriver>): FieldError[] {
    const { attachRequired, volumeLifecycleModes } = object.spec;
    return [
      ...this.validate(object),
      ...validateImmutable('spec.attachedRequired', attachRequired, old.spec.attachRequired),
      ...validateImmutable('spec.volumeLifecycleModes', volumeLifecycleModes, old.spec.volumeLifecycleModes),
    ];
  }
}

function validateTokenPlace(spec: CSIDriverSpec): FieldError[] {
  const { nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets } = spec;
  return [
    ...(period !== undefined && period < 10
      ? [
          invalid(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            'must be greater than or equal to 10 seconds',
          ),
        ]
      : []),
    ...(inSecrets !== undefined && !spec.tokenRequests?.length
      ? [
          invalid(
            'spec.serviceAccountTokenInSecrets',
            inSecrets,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
  ];
}

function validateTokenRequests(requests: readonly TokenRequest[]): FieldError[] {
  const audiences = requests.map(({ audience }) => audience);
  return requests.flatMap(({ audience, expirationSeconds: seconds = 600 }, index) => {
    const path = `spec.tokenRequests[${index}]`;
    if (audiences.indexOf(audience) < index) return [duplicate(`${path}.audience`, audience)];
    const field = `${path}.expirationSeconds`;
    if (seconds < 600) return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
    return seconds > 2 ** 32
      ? [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : [];
  });
}
