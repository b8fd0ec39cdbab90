import { createHash } from 'node:crypto';
import { Secret } from 'ots-kubernetes/core/v1';
import {
  type Kind,
  NoKindMatchError,
  type UnstructuredObject,
  isKindMissing,
  isNotFound,
  metadataOf,
} from 'ots-runtime';
import { OtsError } from '../errors/ots-error.ts';
import { packageVersion } from '../version.ts';
import { keyOf } from './apply-object.ts';
import type { Cluster } from './cluster.ts';
import { explainError } from './explain-error.ts';
import { type ObjectReference, groupOf, referenceTo } from './object-name.ts';
import type { Progress } from './progress.ts';

/** https://git.k8s.io/enhancements/keps/sig-cli/3659-kubectl-apply-prune#design-details-applyset-specification */
const prefix = 'applyset.kubernetes.io/';
const idLabel = `${prefix}id`;
const memberLabel = `${prefix}part-of`;
const tooling = `${prefix}tooling`;
const groupKinds = `${prefix}contains-group-kinds`;
const additionalNamespaces = `${prefix}additional-namespaces`;
const toolName = 'ots';

/** Deleted with them is what they contain, so they are never pruned: as `group/kind`. */
const keptKinds = new Set(['/Namespace', 'apiextensions.k8s.io/CustomResourceDefinition']);

/** What the parent says about its members. */
interface Contents {
  /** As `Kind.group`, or the kind alone in the core group. */
  readonly groupKinds: ReadonlySet<string>;
  readonly namespaces: ReadonlySet<string>;
}

/** A member of the set that the server has. */
interface Member {
  readonly reference: ObjectReference;
  readonly kind: Kind<UnstructuredObject>;
}

/**
 * The objects that a project has in a cluster, as an ApplySet of KEP-3659: each has a label with the id of the set, and a Secret, its parent,
 * names their kinds and namespaces. So what an earlier version applied and the current one does not is found again.
 */
export class ApplySet {
  /** The value of the label of members. */
  readonly id: string;
  readonly #parent: { readonly name: string; readonly namespace: string };

  /**
   * @param name of the parent
   * @param namespace of the parent
   */
  constructor(name: string, namespace: string) {
    this.#parent = { name, namespace };
    const hash = createHash('sha256').update(`${name}.${namespace}.Secret.`).digest('base64url');
    this.id = `applyset-${hash}-v1`;
  }

  /** The object as a member of the set. */
  member(object: UnstructuredObject): UnstructuredObject {
    const { labels, ...metadata } = object.metadata;
    return { ...object, metadata: { ...metadata, labels: { ...labels, [memberLabel]: this.id } } };
  }

  /**
   * Records the kinds and namespaces of the members that are about to be applied, beside those that it has: so nothing is lost if the
   * command ends before it has pruned.
   *
   * @param namespace of objects that do not name their own
   * @throws OtsError `FOREIGN_APPLY_SET` if another tool manages the set
   */
  async begin(cluster: Cluster, objects: readonly UnstructuredObject[], namespace: string): Promise<void> {
    const before = await this.#read(cluster);
    const next = contentsOf(objects.map(referenceTo));
    await this.#write(cluster, {
      groupKinds: new Set([...before.groupKinds, ...next.groupKinds]),
      namespaces: new Set([...before.namespaces, ...next.namespaces, namespace]),
    });
  }

  /**
   * Deletes the members that were not applied, but for definitions and namespaces, which it reports as kept.
   *
   * @param applied all objects of the current version
   * @param dryRun reports what it would delete, and changes nothing
   */
  async prune(
    cluster: Cluster,
    applied: readonly ObjectReference[],
    { progress, dryRun = false }: { progress: Progress; dryRun?: boolean },
  ): Promise<void> {
    const current = new Set(applied.map(identity));
    const stale = (await this.#members(cluster)).filter(({ reference }) => !current.has(identity(reference)));
    const kept: ObjectReference[] = [];
    for (const { kind, reference } of stale.toReversed()) {
      if (keptKinds.has(`${kind.group}/${kind.kind}`)) {
        kept.push(reference);
        const reason = 'no longer part of the project; ots does not delete what contains other objects';
        progress.object(reference, 'kept', { reason });
        continue;
      }
      if (!dryRun) await remove(cluster, { kind, reference });
      progress.object(reference, 'pruned');
    }
    if (!dryRun) await this.#write(cluster, contentsOf([...applied, ...kept]));
  }

  /** The members that are not among the objects, with their metadata only. */
  async othersThan(cluster: Cluster, objects: readonly UnstructuredObject[]): Promise<UnstructuredObject[]> {
    const known = new Set(objects.map((object) => identity(referenceTo(object))));
    const others = (await this.#members(cluster)).filter(({ reference }) => !known.has(identity(reference)));
    return others.map(({ reference: { apiVersion, kind, ...key } }) => ({ apiVersion, kind, metadata: key }));
  }

  /** The members that the server has, in the order of their kinds. */
  async #members(cluster: Cluster): Promise<Member[]> {
    const contents = await this.#read(cluster);
    const namespaces = new Set([this.#parent.namespace, ...contents.namespaces]);
    const members: Member[] = [];
    for (const name of [...contents.groupKinds].toSorted()) {
      const kind = await kindOf(cluster, name);
      if (!kind) continue;
      for (const namespace of kind.scope === 'Cluster' ? [undefined] : namespaces)
        members.push(...(await this.#list(cluster, kind, namespace)));
    }
    return members;
  }

  /** Deletes the parent, after its members. */
  async remove(cluster: Cluster): Promise<void> {
    const { name, namespace } = this.#parent;
    await remove(cluster, { kind: Secret, reference: { apiVersion: 'v1', kind: 'Secret', name, namespace } });
  }

  async #list(
    { client, signal }: Cluster,
    kind: Kind<UnstructuredObject>,
    namespace: string | undefined,
  ): Promise<Member[]> {
    try {
      const labelSelector = `${memberLabel}=${this.id}`;
      const { items } = await client.list(metadataOf(kind), { namespace, labelSelector, signal });
      return items.map(({ metadata }) => {
        const { name = '', namespace: own } = metadata;
        const { apiVersion, kind: kindName } = kind;
        return {
          kind,
          reference: { apiVersion, kind: kindName, ...(own !== undefined && { namespace: own }), name },
        };
      });
    } catch (error) {
      signal.throwIfAborted();
      if (isKindMissing(error)) return [];
      throw explainError(error);
    }
  }

  async #read({ client, signal }: Cluster): Promise<Contents> {
    const reference = { apiVersion: 'v1', kind: 'Secret', ...this.#parent };
    try {
      const found = await client.get(metadataOf(Secret), this.#parent, { signal });
      const { annotations = {} } = found?.metadata ?? {};
      const tool = annotations[tooling]?.split('/')[0];
      if (found && tool !== toolName) {
        throw new OtsError(
          'FOREIGN_APPLY_SET',
          `The Secret ${this.#parent.name} in ${this.#parent.namespace} ${tool === undefined ? 'is not one of ots' : `belongs to an ApplySet of ${tool}`}`,
          { hint: 'Delete or rename the Secret if nothing needs it: ots records there what it has applied.' },
        );
      }
      return {
        groupKinds: listed(annotations[groupKinds]),
        namespaces: listed(annotations[additionalNamespaces]),
      };
    } catch (error) {
      signal.throwIfAborted();
      throw explainError(error, reference);
    }
  }

  async #write({ client, signal }: Cluster, { groupKinds: kinds, namespaces }: Contents): Promise<void> {
    const others = [...namespaces].filter((namespace) => namespace !== this.#parent.namespace);
    const annotations = {
      [tooling]: `${toolName}/v${packageVersion}`,
      [groupKinds]: [...kinds].toSorted().join(','),
      ...(others.length > 0 && { [additionalNamespaces]: others.toSorted().join(',') }),
    };
    try {
      const metadata = { ...this.#parent, labels: { [idLabel]: this.id }, annotations };
      await client.apply(Secret, { metadata }, { force: true, signal });
    } catch (error) {
      signal.throwIfAborted();
      if (isNotFound(error)) {
        throw new OtsError('NO_NAMESPACE', `The namespace ${this.#parent.namespace} does not exist`, {
          hint: 'Create it, or add it to config/ as a Namespace.',
          cause: error,
        });
      }
      throw explainError(error, { apiVersion: 'v1', kind: 'Secret', ...this.#parent });
    }
  }
}

function contentsOf(objects: readonly ObjectReference[]): Contents {
  const names = objects.map(({ apiVersion, kind }) => [kind, groupOf(apiVersion)].filter(Boolean).join('.'));
  return {
    groupKinds: new Set(names),
    namespaces: new Set(objects.flatMap(({ namespace }) => namespace ?? [])),
  };
}

function listed(annotation: string | undefined): Set<string> {
  return new Set(annotation?.split(',').filter((name) => name !== '') ?? []);
}

/** Objects stay the same in another version. */
function identity({ apiVersion, kind, namespace = '', name }: ObjectReference): string {
  return [groupOf(apiVersion), kind, namespace, name].join('/');
}

/** @param name as `Kind.group` */
async function kindOf(
  { client, signal }: Cluster,
  name: string,
): Promise<Kind<UnstructuredObject> | undefined> {
  const [kind = '', ...group] = name.split('.');
  try {
    const [preferred] = await client.mapper.kindsOf({ kind, group: group.join('.') }, { signal });
    return preferred;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NoKindMatchError) return undefined;
    throw explainError(error);
  }
}

async function remove(
  { client, signal }: Cluster,
  { kind, reference }: { kind: Kind; reference: ObjectReference },
): Promise<void> {
  try {
    await client.delete(kind, keyOf(reference), { propagationPolicy: 'Background', signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!isNotFound(error)) throw explainError(error, reference);
  }
}
