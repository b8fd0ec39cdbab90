import type {
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
} from 'ots-kubernetes/core/v1';
import { dnsLabel, subdomain } from 'ots-apimachinery/names';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { dataKey, variableName } from '../../validation/text-rules.ts';
import { validateNoBacksteps } from './path-rules.ts';
import { validateFieldReference, validateResourceReference } from './validate-field-references.ts';

const fields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Validates the environment variables of a container. */
export function validateEnv(variables: readonly EnvVar[], path: string): FieldError[] {
  return variables.flatMap(({ name, value = '', valueFrom }, index) => [
    ...(name
      ? errorsOfRule(`${path}[${index}].name`, name, variableName)
      : [required(`${path}[${index}].name`)]),
    ...(valueFrom ? validateSource(valueFrom, value, `${path}[${index}].valueFrom`) : []),
  ]);
}

/** Validates the sources of several environment variables. */
export function validateEnvFrom(sources: readonly EnvFromSource[], path: string): FieldError[] {
  return sources.flatMap(({ prefix, configMapRef, secretRef }, index) => {
    const count = Number(configMapRef !== undefined) + Number(secretRef !== undefined);
    return [
      ...(prefix ? errorsOfRule(`${path}[${index}].prefix`, prefix, variableName) : []),
      ...(configMapRef ? validateName(configMapRef.name, `${path}[${index}].configMapRef`) : []),
      ...(secretRef ? validateName(secretRef.name, `${path}[${index}].secretRef`) : []),
      ...(count === 0 ? [invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')] : []),
      ...(count > 1 ? [invalid(path, '', 'may not have more than one field specified at a time')] : []),
    ];
  });
}

function validateName(name: string | undefined, path: string): FieldError[] {
  const field = `${path}.name`;
  if (!name) return [required(field)];
  // The value may be a prefix of names.
  return subdomain(name.replace(/-$/, 'a')).map((message) => invalid(field, name, message));
}

function validateSource(source: EnvVarSource, value: string, path: string): FieldError[] {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source;
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (reference) => reference !== undefined,
  ).length;
  return [
    ...(fieldRef ? validateFieldReference(fieldRef, `${path}.fieldRef`, fields) : []),
    ...(resourceFieldRef
      ? validateResourceReference(resourceFieldRef, `${path}.resourceFieldRef`, false)
      : []),
    ...(configMapKeyRef ? validateKey(configMapKeyRef, `${path}.configMapKeyRef`) : []),
    ...(secretKeyRef ? validateKey(secretKeyRef, `${path}.secretKeyRef`) : []),
    ...(fileKeyRef ? validateFileKey(fileKeyRef, `${path}.fileKeyRef`) : []),
    ...validateCount(count, value, path),
  ];
}

function validateCount(count: number, value: string, path: string): FieldError[] {
  if (count === 0) {
    return [
      invalid(
        path,
        '',
        'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      ),
    ];
  }
  if (value !== '') return [invalid(path, '', 'may not be specified when `value` is not empty')];
  return count > 1 ? [invalid(path, '', 'may not have more than one field specified at a time')] : [];
}

function validateKey({ name, key }: ConfigMapKeySelector, path: string): FieldError[] {
  return [
    ...errorsOfRule(`${path}.name`, name ?? '', subdomain),
    ...(key ? errorsOfRule(`${path}.key`, key, dataKey) : [required(`${path}.key`)]),
  ];
}

function validateFileKey({ key, volumeName, path: file }: FileKeySelector, path: string): FieldError[] {
  return [
    ...(key ? errorsOfRule(`${path}.key`, key, variableName) : [required(`${path}.key`)]),
    ...(volumeName
      ? errorsOfRule(`${path}.volumeName`, volumeName, dnsLabel)
      : [required(`${path}.volumeName`)]),
    ...(file ? validateNoBacksteps(`${path}.path`, file) : [required(`${path}.path`)]),
  ];
}
