import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createTar } from 'nanotar';

const manifestType = 'application/vnd.oci.image.manifest.v1+json';
const indexType = 'application/vnd.oci.image.index.v1+json';

/** An image to serve. */
export interface TestImage {
  /** Files by path, a layer each; undefined is a layer that removes the file. */
  readonly layers?: readonly Readonly<Record<string, string>>[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly os?: string;
  readonly architecture?: string;
}

interface Stored {
  readonly type: string;
  readonly bytes: Buffer;
}

/** A container registry in the process, with what the protocol of OCI needs for pulls. */
export class RegistryServer {
  /** Paths that were asked, in order. */
  readonly requests: string[] = [];
  /** What answers instead, by the end of a path: a status, or other bytes. */
  readonly faults = new Map<string, (response: ServerResponse) => void>();
  /** A user who has to log in. Default: reading needs no login. */
  login?: { readonly username: string; readonly password: string };
  readonly #content = new Map<string, Stored>();
  readonly #server = createServer((request, response) => this.#answer(request, response));

  static async start(): Promise<RegistryServer> {
    const registry = new RegistryServer();
    await new Promise<void>((resolve) => registry.#server.listen(0, '127.0.0.1', resolve));
    return registry;
  }

  /** The name of the registry in references, with its port. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** @returns the digest of the image */
  push(repository: string, tag: string, image: TestImage): string {
    return this.pushBytes(repository, tag, manifestType, this.#manifest(image));
  }

  /** Pushes an index of images for several platforms. */
  pushIndex(repository: string, tag: string, images: readonly TestImage[]): string {
    const manifests = images.map((image) => {
      const { os = 'linux', architecture = 'amd64' } = image;
      const bytes = this.#manifest(image);
      const digest = this.pushBytes(repository, digestOf(bytes), manifestType, bytes);
      return { mediaType: manifestType, digest, size: bytes.length, platform: { os, architecture } };
    });
    const index = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType: indexType, manifests }));
    return this.pushBytes(repository, tag, indexType, index);
  }

  /** Pushes a manifest as it is. */
  pushBytes(repository: string, tag: string, type: string, bytes: Buffer): string {
    const digest = digestOf(bytes);
    for (const version of [tag, digest])
      this.#content.set(`/v2/${repository}/manifests/${version}`, { type, bytes });
    return digest;
  }

  /** @returns a descriptor */
  pushBlob(bytes: Buffer, mediaType: string): object {
    const digest = digestOf(bytes);
    this.#content.set(digest, { type: 'application/octet-stream', bytes });
    return { mediaType, digest, size: bytes.length };
  }

  #manifest({ layers = [], labels = {}, os = 'linux', architecture = 'amd64' }: TestImage): Buffer {
    const config = Buffer.from(JSON.stringify({ os, architecture, config: { Labels: labels } }));
    const packed = layers.map((files) =>
      gzipSync(createTar(Object.entries(files).map(([name, data]) => ({ name, data })))),
    );
    return Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: manifestType,
        config: this.pushBlob(config, 'application/vnd.oci.image.config.v1+json'),
        layers: packed.map((layer) => this.pushBlob(layer, 'application/vnd.oci.image.layer.v1.tar+gzip')),
      }),
    );
  }

  #answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
    const path = url.split('?')[0]!;
    this.requests.push(path);
    const fault = [...this.faults].find(([end]) => path.endsWith(end));
    if (fault) return fault[1](response);
    if (path === '/token') return this.#answerToken(headers.authorization, response);
    if (this.login && headers.authorization !== 'Bearer secret-token') {
      const challenge = `Bearer realm="http://${this.host}/token",service="test",scope="repository:app:pull"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    const found = this.#content.get(path) ?? this.#content.get(path.split('/').at(-1)!);
    if (found) response.writeHead(200, { 'content-type': found.type }).end(found.bytes);
    else response.writeHead(404).end('{"errors":[{"code":"MANIFEST_UNKNOWN"}]}');
  }

  #answerToken(authorization: string | undefined, response: ServerResponse): void {
    const { username, password } = this.login!;
    const wanted = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (authorization === wanted) response.end('{"token":"secret-token"}');
    else response.writeHead(401).end();
  }
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
