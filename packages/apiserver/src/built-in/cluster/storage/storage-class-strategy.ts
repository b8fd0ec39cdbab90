import type { TopologySelectorTerm } from 'ots-kubernetes/core/v1';
import type { StorageClass } from 'ots-kubernetes/storage/v1';
import { qualifiedName } from 'ots-apimachinery/names';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, duplicate, notSupported, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';
import { validateParameters, validateProvisioner } from './validate-provisioner.ts';

const reclaimPolicies: readonly unknown[] = ['Delete', 'Retain'];
const bindingModes: readonly unknown[] = ['Immediate', 'WaitForFirstConsumer'];
const immutable = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const;

/** StorageClasses: how volumes are provisioned. */
export class StorageClassStrategy extends BuiltInStrategy {
  override setDefaults(object: BuiltInObject<StorageClass>): void {
    object.reclaimPolicy ??= 'Delete';
    object.volumeBindingMode ??= 'Immediate';
  }

  override validate(object: BuiltInObject<StorageClass>): FieldError[] {
    const { provisioner, parameters, reclaimPolicy, volumeBindingMode, allowedTopologies } = object;
    return [
      ...validateProvisioner(provisioner, 'provisioner'),
      ...validateParameters(parameters),
      ...(!reclaimPolicy || reclaimPolicies.includes(reclaimPolicy)
        ? []
        : [notSupported('reclaimPolicy', reclaimPolicy, reclaimPolicies)]),
      ...(bindingModes.includes(volumeBindingMode)
        ? []
        : [notSupported('volumeBindingMode', volumeBindingMode, bindingModes)]),
      ...validateTopologies(allowedTopologies ?? []),
    ];
  }

  override validateUpdate(
    object: BuiltInObject<StorageClass>,
    old: BuiltInObject<StorageClass>,
  ): FieldError[] {
    return [
      ...this.validate(object),
      ...immutable.flatMap((field) => validateImmutable(field, object[field], old[field])),
    ];
  }
}

function validateTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  // A real server treats an empty term as one that existed before.
  const seen: unknown[] = [{}];
  return terms.flatMap((term, index) => {
    const path = `allowedTopologies[${index}].matchLabelExpressions`;
    const expressions = Object.fromEntries(
      (term.matchLabelExpressions ?? []).map(({ key, values }) => [
        key,
        [...new Set(values ?? [])].toSorted(),
      ]),
    );
    const isKnown = seen.some((other) => jsonEqual(other, expressions));
    seen.push(expressions);
    return [...validateTerm(term, path), ...(isKnown ? [duplicate(path, '')] : [])];
  });
}

function validateTerm({ matchLabelExpressions = [] }: TopologySelectorTerm, path: string): FieldError[] {
  const keys = matchLabelExpressions.map(({ key }) => key);
  return matchLabelExpressions.flatMap(({ key, values }, index) => [
    ...(values?.length ? [] : [required(`${path}[${index}].values`)]),
    ...(values ?? []).flatMap((value, at) =>
      values.indexOf(value) < at ? [duplicate(`${path}[${index}].values[${at}]`, value)] : [],
    ),
    ...errorsOfRule(`${path}[${index}].key`, key, qualifiedName),
    ...(keys.indexOf(key) < index ? [duplicate(`${path}[${index}].key`, key)] : []),
  ]);
}
