import { readObjects } from 'ots-apiserver/kustomize';
import type { KubernetesObject } from 'ots-kubernetes';
import { Deployment } from 'ots-kubernetes/apps/v1';
import type { TokenRequest } from 'ots-kubernetes/authentication/v1';
import { ServiceAccount } from 'ots-kubernetes/core/v1';
import { type Client, type ConnectionConfig, type UnstructuredObject, isNotFound } from 'ots-runtime';
import type { Account } from 'ots-testing/tools';
import { applyInOrder } from '../../deploy/apply-in-order.ts';
import { connect, isDefinition } from '../../deploy/cluster.ts';
import { explainError } from '../../deploy/explain-error.ts';
import { Deadline } from '../../deploy/poll.ts';
import { OtsError } from '../../errors/ots-error.ts';
import type { OperatorDeployment } from '../operator/deployment.ts';
import { accountKubeconfig } from './account-kubeconfig.ts';
import type { DevCluster } from './dev-cluster.ts';

/** Of a token, in seconds. A server may issue it for a shorter time. */
const tokenSeconds = 24 * 60 * 60;
/** Until the server serves definitions, in milliseconds. */
const installTimeout = 60_000;

/**
 * A cluster that runs elsewhere, in place of the embedded one. What is applied stays there. Its API server cannot call this machine, so
 * webhooks are left out.
 */
export class ExistingCluster implements DevCluster {
  readonly connection: ConnectionConfig;
  readonly #client: Client;
  readonly #onWarning: (message: string) => void;
  readonly #interrupted = new AbortController();
  /** Those that were applied. */
  #definitions: readonly UnstructuredObject[] = [];

  /** @param onWarning receives the warnings of the server, and what is left out, as one line each */
  constructor(connection: ConnectionConfig, onWarning: (message: string) => void) {
    this.connection = connection;
    this.#onWarning = onWarning;
    this.#client = connect(connection, onWarning);
  }

  get url(): string {
    return this.connection.server;
  }

  readonly read = async (path: string): Promise<unknown> => {
    try {
      return await this.#client.raw({ path });
    } catch (error) {
      if (isNotFound(error)) return {};
      throw explainError(error);
    }
  };

  /**
   * Two operators would work on the same objects.
   *
   * @throws OtsError `OPERATOR_DEPLOYED`, or when the server cannot be asked
   */
  async refuseSecondOperator({ name, namespace }: OperatorDeployment): Promise<void> {
    const deployment = await explained(this.#client.get(Deployment, { name, namespace }));
    if (!deployment || deployment.spec?.replicas === 0) return;
    throw new OtsError(
      'OPERATOR_DEPLOYED',
      `The operator runs in the cluster: Deployment ${namespace}/${name}`,
      {
        hint: `Stop it with ots undeploy, or with kubectl scale --replicas=0 --namespace=${namespace} deployment/${name}.`,
      },
    );
  }

  async kubeconfigFor(account: Account): Promise<string> {
    // Clients send no token without TLS. Such a server trusts all clients, also as whom they act.
    const isPlain = this.connection.server.startsWith('http:');
    const user = isPlain ? impersonated(account) : { token: await this.#tokenOf(account) };
    return accountKubeconfig(this.connection, user);
  }

  async #tokenOf({ serviceAccount: name, namespace }: Account): Promise<string> {
    const request = this.#client.subresource<TokenRequest>('token').create(
      ServiceAccount,
      { name, namespace },
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: {},
        spec: { audiences: [], expirationSeconds: tokenSeconds },
      },
    );
    const { status } = await explained(request);
    return status?.token ?? '';
  }

  async install(
    directory: string,
    include: (object: KubernetesObject) => boolean = () => true,
  ): Promise<readonly KubernetesObject[]> {
    const manifests = await readObjects(directory);
    const objects = manifests.map(({ object }) => object).filter(include);
    const cluster = { client: this.#client, signal: this.#interrupted.signal };
    const applied = await applyInOrder(cluster, objects.filter(isReachable).map(withoutConversion), {
      served: this.#definitions,
      deadline: new Deadline(installTimeout),
      progress: { object: () => {}, waiting: () => {} },
    });
    const definitions = objects.filter(isDefinition);
    if (definitions.length > 0) this.#definitions = definitions;
    if (!objects.every(isReachable))
      this.#onWarning('The webhooks are left out: the cluster cannot call this machine');
    return applied.map(({ apiVersion, kind, namespace, name, uid }) => {
      const object = objects.find(
        (each) => each.apiVersion === apiVersion && each.kind === kind && each.metadata.name === name,
      );
      return {
        ...object,
        apiVersion,
        kind,
        metadata: { name, uid, ...(namespace !== undefined && { namespace }) },
      };
    });
  }

  async serveWebhooks(): Promise<void> {}

  async stop(): Promise<void> {
    this.#interrupted.abort();
    await this.#client.close();
  }
}

/** Source: the groups that kube-apiserver adds to a ServiceAccount. */
function impersonated({ serviceAccount, namespace }: Account) {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { as: `system:serviceaccount:${namespace}:${serviceAccount}`, 'as-groups': groups };
}

/** Admission of an API server that cannot call the webhook refuses the objects, or waits for each. */
function isReachable({ apiVersion, kind }: UnstructuredObject): boolean {
  return !(apiVersion.startsWith('admissionregistration.k8s.io/') && kind.endsWith('WebhookConfiguration'));
}

/** Versions of the same schema need no webhook; those of others cannot be read without it. */
function withoutConversion(object: UnstructuredObject): UnstructuredObject {
  if (!isDefinition(object)) return object;
  const { conversion: _, ...spec } = object['spec'] as Record<string, unknown>;
  return { ...object, spec };
}

async function explained<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw explainError(error);
  }
}
