import {
  Client,
  type ConnectionConfig,
  type Kind,
  Transport,
  type UnstructuredObject,
  loadConfig,
  unstructured,
} from 'ots-runtime';
import { packageVersion } from '../version.ts';

/** The field manager of everything that ots applies to a cluster. */
const fieldManager = 'ots';

/** A cluster, for as long as a command works on it. */
export interface Cluster {
  readonly client: Client;
  /** Aborts when the command must stop. Its reason is the error that then ends the command. */
  readonly signal: AbortSignal;
}

/** The flags that choose a cluster, with the meaning that they have in kubectl. */
export interface ConnectionOptions {
  /** A kubeconfig file. Default: `KUBECONFIG`, or else `~/.kube/config`. */
  kubeconfig?: string;
  /** Default: `current-context`. */
  context?: string;
}

/**
 * Finds the cluster as kubectl does.
 *
 * @throws ConnectionConfigError (of ots-runtime) without a usable kubeconfig
 */
export async function loadConnection(
  { kubeconfig, context }: ConnectionOptions,
  env: NodeJS.ProcessEnv,
): Promise<ConnectionConfig> {
  return loadConfig({ kubeconfig, context, env });
}

/**
 * A client whose requests show `ots` in the audit log of the server.
 *
 * @param onWarning receives the warnings of the server, for example about a deprecated version
 */
export function connect(connection: ConnectionConfig, onWarning: (text: string) => void): Client {
  const transport = new Transport(connection, { userAgent: `${fieldManager}/${packageVersion}`, onWarning });
  return new Client(transport, { fieldOwner: fieldManager });
}

/** Finds the kinds of objects: those that a definition among the objects describes, and those of the server. */
export class Kinds {
  readonly #cluster: Cluster;
  readonly #defined: ReadonlyMap<string, Kind<UnstructuredObject>>;

  /** @param objects what is about to be applied or deleted; the server may not know their kinds yet, or no longer */
  constructor(cluster: Cluster, objects: readonly UnstructuredObject[]) {
    this.#cluster = cluster;
    const kinds = objects.filter(isDefinition).flatMap(kindsOfDefinition);
    this.#defined = new Map(kinds.map((kind) => [`${kind.apiVersion} ${kind.kind}`, kind]));
  }

  /** Whether a definition among the objects describes the kind. */
  isDefined({ apiVersion, kind }: UnstructuredObject): boolean {
    return this.#defined.has(`${apiVersion} ${kind}`);
  }

  /** @throws NoKindMatchError (of ots-runtime) if the server does not have the kind */
  async of({ apiVersion, kind }: UnstructuredObject): Promise<Kind<UnstructuredObject>> {
    const { client, signal } = this.#cluster;
    return this.#defined.get(`${apiVersion} ${kind}`) ?? client.mapper.kindFor(apiVersion, kind, { signal });
  }
}

/** Whether an object is a CustomResourceDefinition. */
export function isDefinition({ apiVersion, kind }: UnstructuredObject): boolean {
  return kind === 'CustomResourceDefinition' && apiVersion.startsWith('apiextensions.k8s.io/');
}

/** The part of a CustomResourceDefinition that says which kinds it defines. */
interface DefinitionSpec {
  readonly group: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly names: { readonly kind: string; readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean }[];
}

/** The kinds that a CustomResourceDefinition defines: one for each version that is served. None without its `spec`. */
export function kindsOfDefinition(definition: UnstructuredObject): Kind<UnstructuredObject>[] {
  const spec = definition['spec'] as DefinitionSpec | undefined;
  if (!spec) return [];
  const { group, scope, names, versions } = spec;
  return versions
    .filter(({ served }) => served)
    .map(({ name }) =>
      unstructured({ apiVersion: `${group}/${name}`, kind: names.kind, plural: names.plural, scope }),
    );
}
