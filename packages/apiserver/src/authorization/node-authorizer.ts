import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { PolicyRule } from 'ots-kubernetes/rbac/v1';
import { type UserInfo, nodesGroup } from '../authentication/user-info.ts';
import { type Attributes, type Decision, type ResourceAttributes, isPath } from './attributes.ts';
import type { NodeRelations } from './node-relations.ts';
import { ruleAllows } from 'ots-apimachinery/rbac/rule-matching';

const nodeUserPrefix = 'system:node:';
const leaseNamespace = 'kube-node-lease';
const allowed: Decision = { allowed: true, reason: '' };

/** The name of the node that a user is. Empty for a node without a name; undefined for other users. */
export function nodeOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(nodeUserPrefix) && groups.includes(nodesGroup)
    ? name.slice(nodeUserPrefix.length)
    : undefined;
}

/** Decides what nodes may do: they may read what the pods that are bound to them need, and write about themselves. */
export class NodeAuthorizer {
  readonly #relations: NodeRelations;
  readonly #readRules: () => readonly PolicyRule[];

  /** @param readRules returns the rules for the resources that all nodes may use in the same way */
  constructor(relations: NodeRelations, readRules: () => readonly PolicyRule[]) {
    this.#relations = relations;
    this.#readRules = readRules;
  }

  /** Undefined for users who are not nodes. */
  authorize(attributes: Attributes): Decision | undefined {
    const node = nodeOf(attributes.user);
    if (node === undefined) return undefined;
    if (node === '') return denied(`unknown node for user ${goQuote(attributes.user.name)}`);
    const decision = isPath(attributes) ? undefined : this.#decide(node, attributes);
    if (decision) return decision;
    return this.#readRules().some((rule) => ruleAllows(rule, attributes)) ? allowed : denied('');
  }

  /** Undefined for resources that all nodes may use in the same way. */
  #decide(node: string, attributes: ResourceAttributes): Decision | undefined {
    const { group, resource, subresource } = attributes;
    switch (group === '' ? resource : `${resource}.${group}`) {
      case 'secrets':
      case 'configmaps':
        return this.#read(node, attributes);
      case 'persistentvolumeclaims':
        return subresource === 'status' ? this.#updateStatus(node, attributes) : this.#get(node, attributes);
      case 'persistentvolumes':
      case 'resourceclaims.resource.k8s.io':
      case 'volumeattachments.storage.k8s.io':
        return this.#get(node, attributes);
      case 'serviceaccounts':
        return this.#serviceAccount(node, attributes);
      case 'leases.coordination.k8s.io':
        return lease(node, attributes);
      case 'csinodes.storage.k8s.io':
        return csiNode(node, attributes);
      case 'resourceslices.resource.k8s.io':
        return this.#resourceSlice(node, attributes);
      case 'nodes':
        return itself(node, attributes);
      case 'pods':
        return this.#pod(node, attributes);
      case 'podcertificaterequests.certificates.k8s.io':
        return denied('');
      default:
        return undefined;
    }
  }

  #updateStatus(node: string, attributes: ResourceAttributes): Decision {
    if (!['update', 'patch'].includes(attributes.verb)) return denied('can only get/update/patch this type');
    return this.#related(node, attributes);
  }

  #get(node: string, attributes: ResourceAttributes): Decision {
    if (attributes.verb !== 'get') return denied('can only get individual resources of this type');
    if (attributes.subresource !== '') return denied('cannot get subresource');
    return this.#related(node, attributes);
  }

  #read(node: string, attributes: ResourceAttributes): Decision {
    if (!['get', 'list', 'watch'].includes(attributes.verb))
      return denied('can only read resources of this type');
    if (attributes.subresource !== '') return denied('cannot read subresource');
    if (attributes.namespace === '') return denied('can only read namespaced object of this type');
    return this.#related(node, attributes);
  }

  #serviceAccount(node: string, attributes: ResourceAttributes): Decision {
    const { verb, subresource, name } = attributes;
    if (verb === 'get' && subresource === '') return this.#read(node, attributes);
    if (verb !== 'create' || name === '')
      return denied('can only create tokens for individual service accounts');
    if (subresource !== 'token') return denied('can only create token subresource of serviceaccount');
    return this.#related(node, attributes);
  }

  #resourceSlice(node: string, attributes: ResourceAttributes): Decision {
    if (attributes.subresource !== '') return denied('cannot authorize ResourceSlice subresources');
    switch (attributes.verb) {
      case 'create':
        return allowed;
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return this.#related(node, attributes);
      case 'watch':
      case 'list':
      case 'deletecollection':
        return selects(node, attributes)
          ? allowed
          : denied('can only list/watch/deletecollection resourceslices with nodeName field selector');
      default:
        return denied(
          'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
        );
    }
  }

  #pod(node: string, attributes: ResourceAttributes): Decision {
    const { verb, subresource, name } = attributes;
    if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allowed : denied('');
    if (subresource === 'eviction') return verb === 'create' ? allowed : denied('');
    if (subresource !== '') return denied('');
    if (verb === 'create' || verb === 'delete') return allowed;
    if (verb === 'get') return this.#related(node, attributes);
    if (verb !== 'list' && verb !== 'watch') return denied('');
    if (selects(node, attributes)) return allowed;
    return name === ''
      ? denied('can only list/watch pods with spec.nodeName field selector')
      : this.#related(node, attributes);
  }

  #related(node: string, { resource, namespace, name }: ResourceAttributes): Decision {
    if (name === '') return denied('No Object name found');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the methods have the names of the resources above
    const kind = resource as keyof NodeRelations;
    return this.#relations[kind](node, namespace, name)
      ? allowed
      : denied(`no relationship found between node '${node}' and this object`);
  }
}

const ownVerbs = ['get', 'create', 'update', 'patch', 'delete'];

function lease(node: string, { verb, namespace, name }: ResourceAttributes): Decision {
  if (!ownVerbs.includes(verb)) return denied('can only get, create, update, patch, or delete a node lease');
  if (namespace !== leaseNamespace)
    return denied(`can only access leases in the ${goQuote(leaseNamespace)} system namespace`);
  return verb === 'create' || name === node
    ? allowed
    : denied('can only access node lease with the same name as the requesting node');
}

function csiNode(node: string, { verb, subresource, name }: ResourceAttributes): Decision {
  if (!ownVerbs.includes(verb)) return denied('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return denied('cannot authorize CSINode subresources');
  return verb === 'create' || name === node
    ? allowed
    : denied('can only access CSINode with the same name as the requesting node');
}

/** The Node object of the node. Admission limits what it may write. */
function itself(node: string, { verb, subresource, name }: ResourceAttributes): Decision {
  const isWrite = verb === 'update' || verb === 'patch';
  if (subresource === 'status') return isWrite ? allowed : denied('');
  if (subresource !== '') return denied('');
  if (isWrite || verb === 'create') return allowed;
  if (!['get', 'list', 'watch'].includes(verb)) return denied('');
  if (name === node) return allowed;
  return denied(
    name === ''
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}

/** Whether a request is limited to the objects of the node. */
function selects(node: string, { fieldSelector = [] }: ResourceAttributes): boolean {
  return fieldSelector.some(
    ({ field, value, negated }) => field === 'spec.nodeName' && value === node && !negated,
  );
}

function denied(reason: string): Decision {
  return { allowed: false, reason };
}
