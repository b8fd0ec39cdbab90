import type { IncomingMessage, ServerResponse } from 'node:http';
import { CrdController } from './crd/crd-controller.ts';
import { HttpListener } from './http/http-listener.ts';
import { RequestHandler } from './http/request-handler.ts';
import { builtInResources } from './registry/built-in-resources.ts';
import { createObject } from './registry/create.ts';
import type { Machinery } from './registry/machinery.ts';
import { NamespaceController } from './registry/namespace-controller.ts';
import { ResourceRegistry } from './registry/resource-registry.ts';
import { Store } from './storage/store.ts';

/** How an {@link ApiServer} is started. */
export interface ApiServerOptions {
  /** Default 0: a free one. */
  port?: number;
  /** Default `127.0.0.1`. The server asks nobody for credentials: keep it on a loopback address. */
  host?: string;
  /** How many changes of each resource a watch can resume from, at least. Default 10000. */
  watchHistory?: number;
  /** Milliseconds between the bookmarks of a watch. Default 60000. */
  bookmarkInterval?: number;
  /** The clock of creation and deletion timestamps. Default the system's. */
  now?: () => Date;
}

const initialNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/**
 * A Kubernetes API server in this process, in memory, over plain HTTP.
 *
 * Built-in kinds are stored as they are sent: their fields are neither defaulted nor validated beyond `metadata`. Custom
 * resources are pruned, defaulted and validated by the schema of their definition; its CEL rules are not evaluated. Bodies are
 * JSON or YAML; patches are JSON patches or merge patches. What is not supported is refused as a real server refuses it.
 */
export class ApiServer {
  /** Such as `http://127.0.0.1:34567`. */
  readonly url: string;
  readonly #listener: HttpListener;

  private constructor(listener: HttpListener) {
    this.#listener = listener;
    this.url = listener.url;
  }

  /** @throws the error of the operating system when it cannot listen, such as EADDRINUSE */
  static async start(options: ApiServerOptions = {}): Promise<ApiServer> {
    const { port = 0, host = '127.0.0.1', watchHistory = 10_000, bookmarkInterval = 60_000 } = options;
    const machinery = createMachinery(watchHistory, options.now ?? (() => new Date()));
    const handler = new RequestHandler(machinery, bookmarkInterval);
    const handle = (request: IncomingMessage, response: ServerResponse) =>
      void handler.handle(request, response);
    return new ApiServer(await HttpListener.start(handle, { port, host }));
  }

  /** Stops listening and ends every request and watch. The objects are gone. */
  async stop(): Promise<void> {
    await this.#listener.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

function createMachinery(watchHistory: number, now: () => Date): Machinery {
  const store = new Store(watchHistory);
  const registry = new ResourceRegistry(builtInResources(store));
  const machinery: Machinery = { store, registry, now };
  const definitions = registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  const namespaces = registry.find('', 'v1', 'namespaces');
  if (!definitions || !namespaces)
    throw new Error('the table of built-in resources lacks those that the server needs');
  void new CrdController(machinery, definitions.table);
  void new NamespaceController(machinery, namespaces.table);
  for (const name of initialNamespaces) {
    const target = { resource: namespaces, namespace: '', name, subresource: '' };
    createObject(
      machinery,
      target,
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name } },
      { dryRun: false },
    );
  }
  return machinery;
}
