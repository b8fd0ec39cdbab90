import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from 'ots-kubernetes/autoscaling/v2';
import { dnsLabel } from 'ots-apimachinery/names';
import { nanosOf } from 'ots-apimachinery/quantity/amount';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../status/field-error.ts';
import { errorsOfRule } from '../validation/errors-of-rule.ts';
import { showQuantity } from '../validation/validate-quantity.ts';
import { validateContainerResourceName } from '../core/validate-container-resource-name.ts';
import { type ReferenceRule, requireSegment, validateReference } from './validate-scaled-reference.ts';

/** The sources of metrics: the field of each type, in the order in which a server checks them. */
const sources = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
} as const;

/** Validates one metric of an autoscaler: it must have the source that its type names. */
export function validateMetric(metric: MetricSpec, path: string, rule: ReferenceRule): FieldError[] {
  const type: string = metric.type;
  const expected = Object.hasOwn(sources, type) ? sources[type as keyof typeof sources] : undefined;
  const present = Object.values(sources).filter((name) => metric[name] !== undefined);
  const [first] = present;
  const unsupported = notSupported(`${path}.type`, type, Object.keys(sources).toSorted());
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric source type')] : []),
    ...(expected ? [] : [unsupported]),
    ...(first ? validateSource(metric, first, `${path}.${first}`, rule) : []),
    ...(expected && metric[expected] === undefined
      ? [required(`${path}.${expected}`, 'must populate information for the given metric source')]
      : []),
    // A server reports it twice.
    ...(expected ? [] : [unsupported]),
    ...(present.length > 1
      ? present
          .filter((name) => name !== expected)
          .map((name) => forbidden(`${path}.${name}`, 'must populate the given metric source only'))
      : []),
  ];
}

function validateSource(
  metric: MetricSpec,
  name: (typeof sources)[keyof typeof sources],
  path: string,
  rule: ReferenceRule,
): FieldError[] {
  const { object, external, pods, resource, containerResource } = metric;
  if (name === 'object' && object) return validateObject(object, path, rule);
  if (name === 'external' && external) return validateExternal(external, path);
  if (name === 'pods' && pods) return validatePods(pods, path);
  if (name === 'resource' && resource) return validateResource(resource, path);
  return containerResource ? validateContainerResource(containerResource, path) : [];
}

function validateObject(source: ObjectMetricSource, path: string, rule: ReferenceRule): FieldError[] {
  const { value, averageValue } = source.target;
  return [
    ...validateReference(source.describedObject, `${path}.describedObject`, rule),
    ...validateNamed(source, path),
    ...(value === undefined && averageValue === undefined
      ? [required(`${path}.target.averageValue`, 'must set either a target value or averageValue')]
      : []),
  ];
}

function validateExternal(source: ExternalMetricSource, path: string): FieldError[] {
  const { value, averageValue } = source.target;
  const target = `${path}.target`;
  return [
    ...validateNamed(source, path),
    ...(value === undefined && averageValue === undefined
      ? [required(`${target}.averageValue`, 'must set either a target value for metric or a per-pod target')]
      : []),
    ...(value !== undefined && averageValue !== undefined
      ? [forbidden(`${target}.value`, 'may not set both a target value for metric and a per-pod target')]
      : []),
  ];
}

function validatePods(source: PodsMetricSource, path: string): FieldError[] {
  return [
    ...validateNamed(source, path),
    ...(source.target.averageValue === undefined
      ? [required(`${path}.target.averageValue`, 'must specify a positive target averageValue')]
      : []),
  ];
}

function validateNamed(
  { metric, target }: ObjectMetricSource | ExternalMetricSource | PodsMetricSource,
  path: string,
): FieldError[] {
  return [
    ...requireSegment(`${path}.metric.name`, metric.name, 'must specify a metric name'),
    ...validateTarget(target, `${path}.target`),
  ];
}

function validateResource({ name, target }: ResourceMetricSource, path: string): FieldError[] {
  return [
    ...(name === '' ? [required(`${path}.name`, 'must specify a resource name')] : []),
    ...validateUtilization(target, `${path}.target`),
  ];
}

function validateContainerResource(
  { name, container, target }: ContainerResourceMetricSource,
  path: string,
): FieldError[] {
  return [
    ...(name === ''
      ? [required(`${path}.name`, 'must specify a resource name')]
      : validateContainerResourceName(`${path}.name`, name)),
    ...(container === ''
      ? [required(`${path}.container`, 'must specify a container')]
      : errorsOfRule(`${path}.container`, container, dnsLabel)),
    ...validateUtilization(target, `${path}.target`),
  ];
}

function validateUtilization(target: MetricTarget, path: string): FieldError[] {
  const hasUtilization = target.averageUtilization !== undefined;
  const hasValue = target.averageValue !== undefined;
  return [
    ...validateTarget(target, path),
    ...(hasUtilization || hasValue
      ? []
      : [
          required(
            `${path}.averageUtilization`,
            'must set either a target raw value or a target utilization',
          ),
        ]),
    ...(hasUtilization && hasValue
      ? [forbidden(`${path}.averageValue`, 'may not set both a target raw value and a target utilization')]
      : []),
  ];
}

function validateTarget(target: MetricTarget, path: string): FieldError[] {
  const { type, averageUtilization } = target;
  const isKnown = ['Utilization', 'Value', 'AverageValue'].includes(type);
  return [
    ...(type === '' ? [required(`${path}.type`, 'must specify a metric target type')] : []),
    ...(isKnown ? [] : [invalid(`${path}.type`, type, 'must be either Utilization, Value, or AverageValue')]),
    ...(['value', 'averageValue'] as const).flatMap((name) => {
      const amount = target[name];
      return amount === undefined || nanosOf(amount) > 0n
        ? []
        : [invalid(`${path}.${name}`, showQuantity(amount), 'must be positive')];
    }),
    ...(averageUtilization !== undefined && averageUtilization < 1
      ? [invalid(`${path}.averageUtilization`, averageUtilization, 'must be greater than 0')]
      : []),
  ];
}
