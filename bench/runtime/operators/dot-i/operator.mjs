// The benchmark's operator on @dot-i/k8s-operator, with its default settings.
import { KubeConfig, CoreV1Api } from '@kubernetes/client-node';
import module from '@dot-i/k8s-operator';

const Operator = module.default ?? module;
const expected = Number(process.env.EXPECTED);
const seen = new Set();
const silent = { debug() {}, info() {}, warn() {}, error: (message) => console.error(message) };

class SampleOperator extends Operator {
  #core;

  async init() {
    const config = new KubeConfig();
    config.loadFromDefault();
    this.#core = config.makeApiClient(CoreV1Api);
    const isSync = process.env.MODE === 'sync';
    await this.watchResource('bench.example.com', 'v1', 'samples', async (event) => {
      if (!isSync) return this.#reconcile(event);
      seen.add(event.meta.name);
      if (seen.size === expected) console.log('synced', seen.size);
    });
    if (!isSync) console.log('synced 0');
  }

  async #reconcile({ type, meta, object }) {
    if (type === 'DELETED' || object.status?.observed === object.spec.seed) return;
    const { name, namespace } = meta;
    const { seed, payload } = object.spec;
    const child = {
      metadata: {
        name,
        namespace,
        ownerReferences: [
          {
            apiVersion: object.apiVersion,
            kind: object.kind,
            name,
            uid: object.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      data: { seed: String(seed), payload },
    };
    try {
      await this.#core.createNamespacedConfigMap(namespace, child);
    } catch (error) {
      if (error.statusCode !== 409) throw error;
      await this.#core.replaceNamespacedConfigMap(name, namespace, child);
    }
    await this.patchResourceStatus(meta, { observed: seed });
  }
}

const operator = new SampleOperator(silent);
process.once('SIGTERM', () => operator.stop());
await operator.start();
