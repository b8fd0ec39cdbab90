import type { RoleBinding, RoleRef, Subject } from 'ots-kubernetes/rbac/v1';
import { pathSegment, subdomain } from 'ots-apimachinery/names';
import { jsonEqual } from '../../../json/json-equal.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy, type BuiltInTraits } from '../../../registry/built-in-strategy.ts';
import type { Writer } from '../../../registry/strategy.ts';
import type { ApiObject } from '../../../json/api-object.ts';
import { checkBinding } from './check-escalation.ts';
import { changesOnlyOwnership } from './role-strategy.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/** RoleBindings and ClusterRoleBindings: who has a role. The role is immutable. */
export class RoleBindingStrategy extends BuiltInStrategy {
  readonly #isNamespaced: boolean;

  constructor(traits: BuiltInTraits) {
    super(traits);
    this.#isNamespaced = traits.kind === 'RoleBinding';
  }

  override checkWriter(
    binding: BuiltInObject<RoleBinding>,
    old: ApiObject | undefined,
    writer: Writer,
  ): void {
    if (changesOnlyOwnership(binding, old)) return;
    checkBinding(binding.metadata.name ?? '', binding.roleRef, writer);
  }

  override setDefaults({ roleRef, subjects }: BuiltInObject<RoleBinding>): void {
    roleRef.apiGroup ||= rbacGroup;
    for (const subject of subjects ?? [])
      if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= rbacGroup;
  }

  override validate({ roleRef, subjects = [] }: BuiltInObject<RoleBinding>): FieldError[] {
    return [
      ...validateRoleRef(roleRef, this.#isNamespaced ? ['Role', 'ClusterRole'] : ['ClusterRole']),
      ...subjects.flatMap((subject, index) =>
        validateSubject(subject, `subjects[${index}]`, this.#isNamespaced),
      ),
    ];
  }

  override validateUpdate(object: BuiltInObject<RoleBinding>, old: BuiltInObject<RoleBinding>): FieldError[] {
    const { apiGroup, kind, name } = object.roleRef;
    return [
      ...this.validate(object),
      ...(jsonEqual(object.roleRef, old.roleRef)
        ? []
        : [invalid('roleRef', { APIGroup: apiGroup, Kind: kind, Name: name }, 'cannot change roleRef')]),
    ];
  }
}

function validateRoleRef({ apiGroup, kind, name }: RoleRef, kinds: readonly string[]): FieldError[] {
  return [
    ...(apiGroup === rbacGroup ? [] : [notSupported('roleRef.apiGroup', apiGroup, [rbacGroup])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name === '' ? [required('roleRef.name')] : errorsOfRule('roleRef.name', name, pathSegment)),
  ];
}

function validateSubject(subject: Subject, path: string, isNamespaced: boolean): FieldError[] {
  const { name, kind, apiGroup = '', namespace = '' } = subject;
  const nameless = name === '' ? [required(`${path}.name`)] : [];
  switch (kind) {
    case 'ServiceAccount':
      return [
        ...nameless,
        ...(name === '' ? [] : errorsOfRule(`${path}.name`, name, subdomain)),
        ...(apiGroup === '' ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [''])]),
        ...(isNamespaced || namespace !== '' ? [] : [required(`${path}.namespace`)]),
      ];
    case 'User':
    case 'Group':
      return [
        ...nameless,
        ...(apiGroup === rbacGroup ? [] : [notSupported(`${path}.apiGroup`, apiGroup, [rbacGroup])]),
      ];
    default:
      return [...nameless, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
  }
}
