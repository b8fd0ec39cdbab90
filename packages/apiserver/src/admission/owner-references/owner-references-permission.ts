import type { OwnerReference } from 'ots-kubernetes';
import type { ResourceAttributes } from '../../authorization/attributes.ts';
import type { ApiObject } from '../../json/api-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { OwnMachinery } from '../../registry/machinery.ts';
import { apiVersionOf } from '../../registry/resource.ts';
import { forbid } from '../forbid.ts';
import type { AdmissionPlugin } from '../plugin.ts';

/**
 * OwnerReferencesPermissionEnforcement: who changes the owners of an object must be allowed to delete it, and who lets it
 * block the deletion of an owner must be allowed to update the finalizers of that owner. Off by default, as in
 * kube-apiserver; some distributions turn it on.
 */
export class OwnerReferencesPermissionEnforcement implements AdmissionPlugin {
  readonly name = 'OwnerReferencesPermissionEnforcement';
  readonly #machinery: Pick<OwnMachinery, 'registry' | 'authorizer'>;

  constructor(machinery: Pick<OwnMachinery, 'registry' | 'authorizer'>) {
    this.#machinery = machinery;
  }

  handles({ operation, target, object, oldObject }: AdmissionAttributes): boolean {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    const { group, plural } = target.resource;
    // The kubelet reports the status of pods.
    if (group === '' && plural === 'pods' && target.subresource === 'status') return false;
    return !jsonEqual(ownersOf(object), ownersOf(oldObject));
  }

  /** @throws {StatusError} 403 */
  validate(attributes: AdmissionAttributes): undefined {
    const { operation, object, oldObject, target } = attributes;
    if (operation === 'UPDATE') {
      const name = target.name || (object?.metadata.name ?? '');
      const denied = this.#denial(attributes, { ...recordOf(attributes), verb: 'delete', name });
      if (denied !== undefined)
        throw forbid(attributes, `cannot set an ownerRef on a resource you can't delete: ${denied}, <nil>`);
    }
    const blocked = newlyBlocked(ownersOf(object), ownersOf(oldObject));
    if (blocked.length === 0 || this.#mayFinalizeAll(attributes)) return;
    for (const owner of blocked) this.#checkOwner(attributes, owner);
  }

  #checkOwner(attributes: AdmissionAttributes, { apiVersion, kind, name }: OwnerReference): void {
    const owners = this.#machinery.registry
      .all()
      .filter((resource) => resource.kind === kind && apiVersionOf(resource) === apiVersion);
    if (owners.length === 0) {
      throw forbid(
        attributes,
        `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${apiVersion}"`,
      );
    }
    for (const { group, version, plural, scope } of owners) {
      const namespace = scope === 'Namespaced' ? attributes.target.namespace : '';
      const record = {
        verb: 'update',
        group,
        version,
        resource: plural,
        subresource: 'finalizers',
        namespace,
        name,
      };
      const denied = this.#denial(attributes, record);
      if (denied !== undefined) {
        throw forbid(
          attributes,
          `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${denied}, <nil>`,
        );
      }
    }
  }

  #mayFinalizeAll(attributes: AdmissionAttributes): boolean {
    const all = {
      group: '*',
      version: '*',
      resource: '*',
      subresource: 'finalizers',
      name: '*',
      namespace: '',
    };
    return this.#denial(attributes, { verb: 'update', ...all }) === undefined;
  }

  /** Why the user may not do something, which is often empty; undefined if the user may. */
  #denial({ user }: AdmissionAttributes, asked: Omit<ResourceAttributes, 'user'>): string | undefined {
    const { allowed, reason } = this.#machinery.authorizer.authorize({ user, ...asked });
    return allowed ? undefined : reason;
  }
}

function recordOf({ target }: AdmissionAttributes): Omit<ResourceAttributes, 'user' | 'verb' | 'name'> {
  const { resource, subresource, namespace } = target;
  const { group, version, plural } = resource;
  return { group, version, resource: plural, subresource, namespace };
}

function ownersOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}

function newlyBlocked(owners: readonly OwnerReference[], old: readonly OwnerReference[]): OwnerReference[] {
  const blocked = new Set(old.filter((owner) => owner.blockOwnerDeletion).map(({ uid }) => uid));
  return owners.filter(({ blockOwnerDeletion, uid }) => blockOwnerDeletion && !blocked.has(uid));
}
