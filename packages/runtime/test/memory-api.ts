import type { KubernetesObject } from 'ots-kubernetes';
import type { ServerResponse } from 'node:http';
import { type Exchange, ScriptedServer, json, status } from './scripted-server.ts';

/** Keeps the objects of any kind and serves lists, watches and writes of them: just enough to run a manager. */
export class MemoryApi {
  readonly server: ScriptedServer;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #history: { path: string; version: number; line: string }[] = [];
  readonly #watches = new Set<{ collection: string; response: ServerResponse }>();
  #version = 100;

  static async start(): Promise<MemoryApi> {
    let api: MemoryApi | undefined;
    const server = await ScriptedServer.start((exchange) => api?.serve(exchange));
    api = new MemoryApi(server);
    return api;
  }

  private constructor(server: ScriptedServer) {
    this.server = server;
    server.answersStart = true;
  }

  get connection(): { server: string } {
    return { server: this.server.url };
  }

  /** Stores an object under its path, such as `/apis/example.com/v1/namespaces/default/things/a`, and notifies watches. */
  put(path: string, object: KubernetesObject): KubernetesObject {
    const type = this.#objects.has(path) ? 'MODIFIED' : 'ADDED';
    this.#version += 1;
    const metadata = { uid: `uid-${path}`, ...object.metadata, resourceVersion: String(this.#version) };
    const stored = { ...object, metadata };
    this.#objects.set(path, stored);
    this.#tell(path, type, stored);
    return stored;
  }

  get(path: string): KubernetesObject | undefined {
    return this.#objects.get(path);
  }

  delete(path: string): void {
    const object = this.#objects.get(path);
    if (!object) return;
    this.#objects.delete(path);
    this.#version += 1;
    this.#tell(path, 'DELETED', {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(this.#version) },
    });
  }

  serve({ method, path, query, body, response }: Exchange): void {
    const objectPath = path.replace(/\/status$/, '');
    if (query.get('watch') === 'true') {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      const since = Number(query.get('resourceVersion'));
      for (const event of this.#history) {
        if (event.version > since && isIn(path, event.path)) response.write(event.line);
      }
      const watch = { collection: path, response };
      this.#watches.add(watch);
      response.on('close', () => this.#watches.delete(watch));
    } else if (method === 'PUT') {
      json(response, 200, this.put(objectPath, body as KubernetesObject));
    } else if (method === 'POST') {
      const object = body as KubernetesObject;
      json(response, 201, this.put(`${path}/${object.metadata.name}`, object));
    } else if (this.#objects.has(path)) {
      json(response, 200, this.#objects.get(path));
    } else if (/\/namespaces\/[^/]+\/[^/]+\/[^/]+$/.test(path)) {
      json(response, 404, status(404, 'NotFound'));
    } else {
      const items = [...this.#objects].filter(([key]) => isIn(path, key)).map(([, object]) => object);
      json(response, 200, { metadata: { resourceVersion: String(this.#version) }, items });
    }
  }

  #tell(path: string, type: string, object: KubernetesObject): void {
    const line = `${JSON.stringify({ type, object })}\n`;
    this.#history.push({ path, version: this.#version, line });
    for (const { collection, response } of this.#watches) {
      if (isIn(collection, path)) response.write(line);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

/** True when the object at the path is in the collection, of one namespace or of all. */
function isIn(collection: string, path: string): boolean {
  return (
    path.slice(0, path.lastIndexOf('/')).replace(/\/namespaces\/[^/]+/, '') === collection ||
    path.slice(0, path.lastIndexOf('/')) === collection
  );
}
