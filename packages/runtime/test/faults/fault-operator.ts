import { ConfigMap } from 'ots-kubernetes/core/v1';
import type { Client } from '../../src/client/client.ts';
import type { ReconcileContext, Request } from '../../src/controller/reconciler.ts';
import { controllerReference } from '../../src/objects/owner-references.ts';
import type { DeepReadonly } from '../../src/objects/deep-readonly.ts';
import { keyText } from '../../src/objects/object-key.ts';
import { Thing } from '../thing.ts';
import type { Witness } from './witness.ts';

/** Keeps a ConfigMap for every Thing, and reports its size in the status. A witness observes it. */
export class ThingOperator {
  readonly #client: Client;
  readonly #witness: Witness;

  constructor(client: Client, witness: Witness) {
    this.#client = client;
    this.#witness = witness;
  }

  async reconcile(request: Request, context: ReconcileContext): Promise<void> {
    const end = this.#witness.begin(keyText(request));
    try {
      const thing = await this.#client.get(Thing, request);
      this.#witness.reconciled(request, thing);
      if (!this.#witness.expectsWork) return;
      if (!thing) return await this.#removeChild(request);
      await this.#keepChild(request, thing);
      if (thing.status?.size !== thing.spec.size) {
        await this.#client.status.patch(Thing, request, {
          metadata: { uid: thing.metadata.uid! },
          status: { size: thing.spec.size },
        });
      }
    } finally {
      end();
    }
    context.signal.throwIfAborted();
  }

  async #keepChild(request: Request, thing: DeepReadonly<Thing>): Promise<void> {
    const child = await this.#client.get(ConfigMap, request);
    const data = { size: String(thing.spec.size) };
    const ownerReferences = [controllerReference(thing)];
    if (!child) {
      const metadata = { name: request.name, namespace: request.namespace!, ownerReferences };
      await this.#client.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
    } else if (
      child.data?.['size'] !== data.size ||
      child.metadata.ownerReferences?.[0]?.uid !== thing.metadata.uid
    ) {
      await this.#client.patch(ConfigMap, request, { metadata: { ownerReferences }, data });
    }
  }

  async #removeChild(request: Request): Promise<void> {
    if (await this.#client.get(ConfigMap, request)) await this.#client.delete(ConfigMap, request);
  }
}
