import { existsSync } from 'node:fs';
import { InstallError } from 'ots-apiserver';
import type { Role } from 'ots-kubernetes/rbac/v1';
import { type KubernetesObject, type LeaderElectionOptions, Manager, createLogger } from 'ots-runtime';
import type { TortureSetup } from './torture-options.ts';

/** What {@link projectSetup} starts from. */
export interface ProjectSetupOptions {
  /** The file of the object that the operator reconciles, such as `config/samples/apps_v1_myapp.yaml`. */
  sample: string;
  /** The kind of the object, if the file contains several objects: the others exist before it. Default: that of the only object. */
  kind?: string;
  /** What adds controllers and webhooks to a manager: `setupControllers` and `setupWebhooks` of a scaffolded project. */
  setup: readonly ((manager: Manager) => void)[];
  /** Whether the operator works in its own namespace alone, as after `ots init --namespaced`: the sample is there, too. Default false. */
  namespaced?: boolean;
  /** The default export of `torture.config.ts`. Default: nothing differs from a scaffolded project. */
  config?: TortureConfig;
}

/**
 * What is special about the operators of a project, by kind: each function returns the setup that it receives with other parts, such as
 * `changes`. The default export of `torture.config.ts`.
 */
export type TortureConfig = Readonly<Record<string, (setup: TortureSetup) => TortureSetup>>;

/** Where the scaffold has the definitions of its own kinds, and of those of others that tests need. */
const definitions = ['config/crd/bases', 'test/crds'];
const webhooks = 'config/webhook/manifests.yaml';
const operator = { serviceAccount: 'controller-manager', namespace: 'system' };

/**
 * Describes the operator of a scaffolded project for {@link torture}: it has the definitions of `config/crd/bases` and `test/crds`, the
 * roles of `config/rbac`, the webhooks of `config/webhook`, and workloads run. Replicas compete for the lease that the roles
 * name. A right that the operator lacks ends it.
 *
 * ```ts
 * const setup = await projectSetup({
 *   sample: 'config/samples/apps_v1_myapp.yaml',
 *   setup: [setupControllers, setupWebhooks],
 * });
 * const { findings } = await torture(setup, { budget: '10s' });
 * ```
 *
 * Relative paths start at the working directory of the process, which is the project in its tests.
 *
 * @throws {InstallError} (of ots-apiserver) when the sample or the roles cannot be read, or the sample does not have exactly one object of the kind
 */
export async function projectSetup({
  sample,
  kind,
  setup,
  namespaced = false,
  config = {},
}: ProjectSetupOptions): Promise<TortureSetup> {
  const namespace = namespaced ? operator.namespace : 'default';
  const object = await readSample(sample, kind);
  const lease = await readLease();
  const common: TortureSetup = {
    environment: { crds: definitions.filter((directory) => existsSync(directory)), workloads: true },
    prepare: async (environment) => {
      await environment.install('config/rbac', { namespace: operator.namespace });
      await environment.install(sample, { namespace, include: (other) => other.kind !== object.kind });
      // Last: they decide from then on, and the operator does not run yet.
      if (existsSync(webhooks)) await environment.install(webhooks, { namespace: operator.namespace });
    },
    identity: operator,
    ...(lease && { leaderElection: lease }),
    start: async (connection, { leaderElection }) => {
      const manager = await Manager.create(
        {
          connection,
          // An apply needs it.
          userAgent: operator.serviceAccount,
          ...(namespaced && { cache: { namespaces: [namespace] } }),
          leaderElection,
          logger: createLogger({ level: 'silent' }),
        },
        { failOnDenied: true },
      );
      for (const add of setup) add(manager);
      return manager;
    },
    object: { ...object, metadata: { ...(namespaced && { namespace }), ...object.metadata } },
  };
  return config[object.kind]?.(common) ?? common;
}

/** The lease that `config/rbac` lets replicas compete for; undefined if it names none. */
async function readLease(): Promise<LeaderElectionOptions | undefined> {
  const roles = (await objectsIn('config/rbac')).filter((object): object is Role => object.kind === 'Role');
  const [id] = roles
    .flatMap(({ rules }) => rules ?? [])
    .flatMap(({ resources, resourceNames }) => (resources?.includes('leases') ? (resourceNames ?? []) : []));
  return id === undefined ? undefined : { id, namespace: operator.namespace };
}

async function readSample(file: string, kind: string | undefined): Promise<KubernetesObject> {
  const found = (await objectsIn(file)).filter((object) => kind === undefined || object.kind === kind);
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  throw new InstallError(
    'MANIFEST_FILE',
    `${file} contains ${found.length} ${kind === undefined ? 'objects' : `objects of the kind ${kind}`}`,
    kind === undefined && only
      ? 'Say with the option kind which one the operator reconciles.'
      : 'Name a file with exactly one.',
  );
}

async function objectsIn(fileOrDirectory: string): Promise<KubernetesObject[]> {
  // Imported lazily: most tests read no files.
  const { readObjects } = await import('ots-apiserver/kustomize');
  return (await readObjects(fileOrDirectory)).map(({ object }) => object);
}
