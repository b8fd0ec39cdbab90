import type { APIService, APIServiceSpec, ServiceReference } from 'ots-kubernetes/apiregistration/v1';
import { dns1035Label, pathSegment, subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { keepMetadata } from '../keep-metadata.ts';
import { errorsOfRule } from '../validation/errors-of-rule.ts';
import { portNumber } from '../validation/port-rules.ts';

const available = {
  type: 'Available',
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};
const statuses: readonly unknown[] = ['True', 'False', 'Unknown'];

/** APIServices: which server serves a version of a group. They are stored only; this server does not proxy. */
export class ApiServiceStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: BuiltInObject<APIService>): void {
    if (spec?.service) spec.service.port ??= 443;
  }

  override prepareForCreate(object: BuiltInObject<APIService>): void {
    super.prepareForCreate(object);
    if (object.spec?.service) return;
    const lastTransitionTime = object.metadata.creationTimestamp ?? '';
    object.status = { conditions: [{ ...available, lastTransitionTime }] };
  }

  override prepareForStatusUpdate(object: BuiltInObject<APIService>, old: BuiltInObject<APIService>): void {
    super.prepareForStatusUpdate(object, old);
    keepMetadata(object, old);
  }

  override validate({ metadata, spec }: BuiltInObject<APIService>): FieldError[] {
    const sent = spec ?? { groupPriorityMinimum: 0, versionPriority: 0 };
    const { group = '', version = '' } = sent;
    const name = `${version}.${group}`;
    return [
      ...(metadata.name === name || pathSegment(metadata.name ?? '').length > 0
        ? []
        : [
            invalid(
              'metadata.name',
              metadata.name ?? '',
              `must be \`spec.version+"."+spec.group\`: "${name}"`,
            ),
          ]),
      ...validateSpec(sent, group, version),
    ];
  }

  override validateStatusUpdate({ status }: BuiltInObject<APIService>): FieldError[] {
    return (status?.conditions ?? []).flatMap((condition, index) =>
      statuses.includes(condition.status)
        ? []
        : [notSupported(`status.conditions[${index}].status`, condition.status, statuses)],
    );
  }
}

function validateSpec(spec: APIServiceSpec, group: string, version: string): FieldError[] {
  const { groupPriorityMinimum, versionPriority, service } = spec;
  return [
    ...(group === '' && version !== 'v1'
      ? [required('spec.group', 'only v1 may have an empty group and it better be legacy kube')]
      : []),
    ...(group === '' ? [] : errorsOfRule('spec.group', group, subdomain)),
    ...errorsOfRule('spec.version', version, dns1035Label),
    ...validatePriority(groupPriorityMinimum, 20_000, 'spec.groupPriorityMinimum'),
    ...validatePriority(versionPriority, 1000, 'spec.versionPriority'),
    ...(service ? validateService(service, spec) : validateLocal(spec)),
  ];
}

function validatePriority(priority: number, highest: number, field: string): FieldError[] {
  return priority > 0 && priority <= highest
    ? []
    : [invalid(field, priority, `must be positive and less than ${highest}`)];
}

/** A version that this server serves itself. */
function validateLocal({ caBundle = '', insecureSkipTLSVerify = false }: APIServiceSpec): FieldError[] {
  const size = Buffer.byteLength(caBundle, 'base64');
  return [
    ...(size > 0
      ? [invalid('spec.caBundle', `${size} bytes`, 'local APIServices may not have a caBundle')]
      : []),
    ...(insecureSkipTLSVerify
      ? [invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}

function validateService(
  { name = '', namespace = '', port = 0 }: ServiceReference,
  { caBundle = '', insecureSkipTLSVerify = false }: APIServiceSpec,
): FieldError[] {
  const faults = portNumber(port);
  return [
    ...(namespace === '' ? [required('spec.service.namespace')] : []),
    ...(name === '' ? [required('spec.service.name')] : []),
    ...(faults.length > 0
      ? [invalid('spec.service.port', port, `port is not valid: ${faults.join(', ')}`)]
      : []),
    ...(insecureSkipTLSVerify && caBundle !== ''
      ? [invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
      : []),
  ];
}
