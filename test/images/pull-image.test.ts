import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ImageFile, pullImage } from '../../src/images/image-files.ts';
import { platformsOf } from '../../src/images/image-manifest.ts';
import { parseImage } from '../../src/images/image-reference.ts';
import { RegistryClient } from '../../src/images/registry-client.ts';
import { RegistryServer } from '../support/registry-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

let registry: RegistryServer;
beforeEach(async () => {
  registry = await RegistryServer.start();
});
afterEach(() => registry.close());

const image = (name = 'acme/app:v1') => parseImage(`${registry.host}/${name}`);
const pull = (name?: string) => pullImage(new RegistryClient({}), image(name));
const texts = (files: ReadonlyMap<string, ImageFile>) =>
  Object.fromEntries(
    Array.from(files, ([path, file]) => [path, 'problem' in file ? file : file.content.toString()]),
  );

/** Pushes an image whose only layer is these bytes. */
function pushLayer(layer: Buffer, mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip'): void {
  const config = registry.pushBlob(Buffer.from('{}'), 'application/vnd.oci.image.config.v1+json');
  const manifest = { schemaVersion: 2, config, layers: [registry.pushBlob(layer, mediaType)] };
  pushManifest(manifest);
}

function pushManifest(manifest: unknown): void {
  const bytes = Buffer.from(typeof manifest === 'string' ? manifest : JSON.stringify(manifest));
  registry.pushBytes('acme/app', 'v1', 'application/vnd.oci.image.manifest.v1+json', bytes);
}

/** A header of a tar archive, with the content behind it. */
function tarEntry(name: string, type: string, content = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156);
  if (type === '2') header.write('/etc/passwd', 157);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

describe('an image', () => {
  test('is its files, its labels and its digest', async () => {
    const digest = registry.push('acme/app', 'v1', {
      layers: [{ 'manifests/a.yaml': 'a: 1', './metadata/b.yaml': 'b: 2' }],
      labels: { tea: 'green' },
    });
    const pulled = await pull();
    expect(pulled).toMatchObject({ digest, labels: { tea: 'green' } });
    expect(texts(pulled.files)).toEqual({ 'manifests/a.yaml': 'a: 1', 'metadata/b.yaml': 'b: 2' });
  });

  test('is found by its digest', async () => {
    const digest = registry.push('acme/app', 'v1', { layers: [{ a: '1' }] });
    expect(texts((await pull(`acme/app@${digest}`)).files)).toEqual({ a: '1' });
  });

  test('has what its upper layers leave', async () => {
    registry.push('acme/app', 'v1', {
      layers: [
        { 'a/one': '1', 'a/two': '2', 'b/one': '1', 'b/c/two': '2', keep: 'k', gone: 'g' },
        { 'a/one': 'new', 'b/.wh..wh..opq': '', 'b/three': '3', '.wh.gone': '' },
      ],
    });
    expect(texts((await pull()).files)).toEqual({ 'a/one': 'new', 'a/two': '2', 'b/three': '3', keep: 'k' });
  });

  test('may be one of an index: that of this machine, else any', async () => {
    const own = process.arch === 'x64' ? 'amd64' : process.arch;
    registry.pushIndex('acme/app', 'v1', [
      { os: 'unknown', architecture: 'unknown', layers: [{ attestation: '' }] },
      { architecture: 's390x', layers: [{ other: '' }] },
      { architecture: own, layers: [{ own: '' }] },
    ]);
    expect(texts((await pull()).files)).toEqual({ own: '' });
    registry.pushIndex('acme/app', 'v1', [{ architecture: 's390x', layers: [{ other: '' }] }]);
    expect(texts((await pull()).files)).toEqual({ other: '' });
  });

  test('may have layers without compression', async () => {
    pushLayer(Buffer.concat([tarEntry('a', '0', 'text'), Buffer.alloc(1024)]));
    expect(texts((await pull()).files)).toEqual({ a: 'text' });
  });

  test('cannot reach out of itself', async () => {
    const entries = [tarEntry('../../out', '0', 'x'), tarEntry('link', '2'), tarEntry('/in', '0', 'x')];
    pushLayer(gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)])));
    expect(texts((await pull()).files)).toEqual({ link: { problem: 'it is a link' }, in: 'x' });
  });
});

describe('platforms', () => {
  const platforms = () => platformsOf(new RegistryClient({}), image());

  test('of an index, without attestations', async () => {
    registry.pushIndex('acme/app', 'v1', [
      { architecture: 'amd64' },
      { architecture: 'arm64' },
      { os: 'unknown', architecture: 'unknown' },
    ]);
    expect(await platforms()).toEqual([
      { os: 'linux', architecture: 'amd64' },
      { os: 'linux', architecture: 'arm64' },
    ]);
  });

  test('of an image', async () => {
    registry.push('acme/app', 'v1', { architecture: 'ppc64le' });
    expect(await platforms()).toEqual([{ os: 'linux', architecture: 'ppc64le' }]);
  });
});

describe('a registry with a login', () => {
  const auth = (text: string) => ({
    auths: { [registry.host]: { auth: Buffer.from(text).toString('base64') } },
  });

  beforeEach(() => {
    registry.login = { username: 'ada', password: 'long:secret' };
    registry.push('acme/app', 'v1', { layers: [{ a: '1' }] });
  });

  const pullWith = async (config: unknown) => {
    const directory = temporaryDirectory();
    await writeFile(join(directory, 'config.json'), JSON.stringify(config));
    return pullImage(new RegistryClient({ DOCKER_CONFIG: directory }), image());
  };

  test('gives a token for the credentials of docker login, and the client keeps it', async () => {
    expect(texts((await pullWith(auth('ada:long:secret'))).files)).toEqual({ a: '1' });
    expect(registry.requests.filter((path) => path === '/token')).toHaveLength(1);
  });

  test.each([
    ['no credentials', () => ({})],
    ['a wrong password', () => auth('ada:wrong')],
  ])('refuses %s, and says how to log in', async (_, config) => {
    const error = await pullWith(config()).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'IMAGE_PULL',
      message: expect.stringContaining('refuses access'),
      hint: expect.stringContaining(`docker login ${registry.host}`),
    });
  });

  test('does not get a password that is malformed, and no message has it', async () => {
    const error = (await pullWith(auth('secret-without-user')).catch((caught: unknown) => caught)) as Error;
    expect(error).toMatchObject({ code: 'CREDENTIALS' });
    expect(JSON.stringify([error.message, error])).not.toContain('secret-without-user');
  });

  test('may not ask for the password over HTTP', async () => {
    registry.faults.set('/manifests/v1', (response) => {
      response.writeHead(401, { 'www-authenticate': 'Bearer realm="http://tokens.example.com/"' }).end();
    });
    await expect(pullWith(auth('ada:long:secret'))).rejects.toThrow('without HTTPS');
  });
});

describe('a fault', () => {
  beforeEach(() => {
    registry.push('acme/app', 'v1', { layers: [{ a: '1' }] });
  });
  const failure = () =>
    pull().then(
      () => 'pulled',
      (error: Error) => error.message.split(': ').slice(1).join(': '),
    );
  const gzip = (bytes: Buffer) => pushLayer(gzipSync(bytes));

  test('is an image that does not exist', async () => {
    await expect(pull('acme/nothing')).rejects.toMatchObject({
      code: 'IMAGE_PULL',
      message: `The image ${registry.host}/acme/nothing:latest cannot be read: ${registry.host} does not have it`,
    });
  });

  test('passes when the registry answers later', async () => {
    registry.faults.set('/manifests/v1', (response) => {
      registry.faults.clear();
      response.writeHead(503).end();
    });
    expect(await failure()).toBe('pulled');
  });

  test('is a registry that does not answer', async () => {
    const closed = parseImage(`${registry.host}/acme/app:v1`);
    await registry.close();
    await expect(pullImage(new RegistryClient({}), closed)).rejects.toThrow(
      /does not answer: .*ECONNREFUSED/,
    );
    registry = await RegistryServer.start();
  });

  test('is content that is not what its digest says', async () => {
    registry.faults.set('/manifests/v1', (response) => {
      const digest = `sha256:${'0'.repeat(64)}`;
      response.end(JSON.stringify({ config: { digest }, layers: [] }));
    });
    registry.faults.set('0000', (response) => response.end('{}'));
    expect(await failure()).toContain('answers with the digest sha256:44136fa3');
  });

  test('is an answer that ends early', async () => {
    registry.faults.set('/manifests/v1', (response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      response.destroy();
    });
    expect(await failure()).toContain('does not answer');
  });

  test.each<[what: string, manifest: unknown, message: string]>([
    ['HTML', '<html>', 'is not JSON'],
    ['null', 'null', 'is not JSON'],
    ['an old manifest', { schemaVersion: 1, fsLayers: [] }, 'is not one of an OCI or Docker image'],
    ['a digest that is a path', { config: { digest: '../x' }, layers: [] }, 'is not one of an OCI or Docker'],
    ['an empty index', { manifests: [null, 3] }, 'its index is empty'],
    ['many layers', manyLayers(), 'more than 128 layers'],
  ])('is a manifest that is %s', async (_, manifest, message) => {
    pushManifest(manifest);
    expect(await failure()).toContain(message);
  });

  test.each<[what: string, push: () => void, message: string]>([
    ['not an archive', () => gzip(Buffer.from('text '.repeat(200))), 'is not a tar archive'],
    ['cut off', () => gzip(tarEntry('a', '0', 'x'.repeat(2000)).subarray(0, 800)), 'is not a tar archive'],
    ['damaged gzip', () => pushLayer(Buffer.from([0x1f, 0x8b, 1, 2, 3])), 'is not gzip'],
    ['zstd', () => pushLayer(Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0])), 'compressed with zstd'],
    ['empty', () => pushLayer(Buffer.alloc(0)), ''],
    [
      'much larger than it looks',
      () => pushLayer(gzipSync(Buffer.alloc(65 * 2 ** 20), { level: 1 })),
      'larger than 64 MiB',
    ],
    ['very large', () => pushLayer(Buffer.alloc(17 * 2 ** 20)), 'larger than 16 MiB'],
    [
      'many files',
      () => gzip(Buffer.concat(Array.from({ length: 5001 }, (__, index) => tarEntry(`f${index}`, '0')))),
      'more than 5000 files',
    ],
  ])('is a layer that is %s', async (_, push, message) => {
    push();
    expect(await failure()).toContain(message);
  });
});

function manyLayers(): object {
  const digest = `sha256:${'0'.repeat(64)}`;
  return { config: { digest }, layers: Array.from({ length: 129 }, () => ({ digest })) };
}
