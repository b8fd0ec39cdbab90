import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Parser, type ReadEntry } from 'tar';
import { type Descriptor, configurationOf, manifestOf } from './image-manifest.ts';
import type { ImageReference } from './image-reference.ts';
import { type RegistryClient, pullError } from './registry-client.ts';

/** A compressed layer, and all layers without compression. The image of a bundle is some kilobytes. */
const maxLayerBytes = 16 * 2 ** 20;
const maxTotalBytes = 64 * 2 ** 20;
const maxLayers = 128;
const maxFiles = 5000;

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const unzip = promisify(gunzip);

/** A file of an image: what is in it, or why it cannot be read. */
export type ImageFile = { readonly content: Buffer } | { readonly problem: string };

/** The files of an image. */
export interface PulledImage {
  readonly digest: string;
  readonly labels: Readonly<Record<string, string>>;
  /** By path, without a slash at the start. */
  readonly files: ReadonlyMap<string, ImageFile>;
}

/**
 * Pulls an image, without a container runtime, into memory.
 *
 * @throws OtsError `IMAGE_PULL`, `CREDENTIALS`
 */
export async function pullImage(registry: RegistryClient, image: ImageReference): Promise<PulledImage> {
  const manifest = await manifestOf(registry, image);
  if (manifest.layers.length > maxLayers)
    throw pullError(image, `it has more than ${maxLayers} layers`, notABundle);
  const { labels } = await configurationOf(registry, image, manifest);
  const files = new Map<string, ImageFile>();
  let left = maxTotalBytes;
  for (const layer of manifest.layers) {
    const bytes = await layerBytes(registry, image, layer, left);
    left -= bytes.length;
    await addLayer(files, image, bytes);
  }
  return { digest: manifest.digest, labels, files };
}

const notABundle = { hint: 'Name the image of a bundle: it contains some files only.' };

async function layerBytes(
  registry: RegistryClient,
  image: ImageReference,
  { digest, mediaType }: Descriptor,
  left: number,
): Promise<Buffer> {
  const packed = await registry.blob(image, digest, maxLayerBytes);
  if (zstdMagic.equals(packed.subarray(0, 4)) || mediaType.endsWith('zstd'))
    throw pullError(image, 'a layer is compressed with zstd', {
      hint: 'Build it with gzip, such as docker build --output type=image,compression=gzip.',
    });
  if (packed[0] !== 0x1f || packed[1] !== 0x8b) return packed;
  try {
    return await unzip(packed, { maxOutputLength: Math.max(left, 1) });
  } catch (cause) {
    const isTooLarge = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge)
      throw pullError(image, `it is larger than ${maxTotalBytes / 2 ** 20} MiB`, { ...notABundle, cause });
    throw pullError(image, 'a layer is not gzip', { hint: 'Build and push it again.', cause });
  }
}

/**
 * Adds what a layer changes. A file `.wh.name` removes a name, `.wh..wh..opq` everything in its folder:
 * https://github.com/opencontainers/image-spec/blob/main/layer.md.
 */
async function addLayer(files: Map<string, ImageFile>, image: ImageReference, bytes: Buffer): Promise<void> {
  const added = await entriesOf(image, bytes);
  for (const path of added.keys()) {
    const slash = path.lastIndexOf('/') + 1;
    const [directory, name] = [path.slice(0, slash), path.slice(slash)];
    if (name === '.wh..wh..opq') removeBelow(files, directory);
    else if (name.startsWith('.wh.')) {
      files.delete(directory + name.slice(4));
      removeBelow(files, `${directory}${name.slice(4)}/`);
    }
  }
  for (const [path, file] of added) if (!/(?:^|\/)\.wh\.[^/]*$/.test(path)) files.set(path, file);
  refuseTooMany(files, image);
}

function removeBelow(files: Map<string, ImageFile>, directory: string): void {
  for (const path of files.keys()) if (path.startsWith(directory)) files.delete(path);
}

function refuseTooMany({ size }: ReadonlyMap<string, ImageFile>, image: ImageReference): void {
  if (size > maxFiles) throw pullError(image, `it has more than ${maxFiles} files`, notABundle);
}

async function entriesOf(image: ImageReference, bytes: Buffer): Promise<Map<string, ImageFile>> {
  const files = new Map<string, ImageFile>();
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({ strict: true, onReadEntry: (entry) => read(entry, files) });
    parser.on('end', resolve);
    parser.on('error', reject);
    parser.end(bytes);
  }).catch((cause: unknown) => {
    throw pullError(image, 'a layer is not a tar archive', { hint: 'Build and push it again.', cause });
  });
  refuseTooMany(files, image);
  return files;
}

function read(entry: ReadEntry, files: Map<string, ImageFile>): void {
  const path = entry.path.replace(/^(?:\.?\/)+/, '');
  if (entry.type === 'Directory' || path === '' || path.split('/').includes('..')) {
    entry.resume();
    return;
  }
  if (entry.type !== 'File' && entry.type !== 'OldFile' && entry.type !== 'ContiguousFile') {
    files.set(path, { problem: entry.type.endsWith('Link') ? 'it is a link' : 'it is not a regular file' });
    entry.resume();
    return;
  }
  const chunks: Buffer[] = [];
  entry.on('data', (chunk: Buffer) => chunks.push(chunk));
  entry.on('end', () => files.set(path, { content: Buffer.concat(chunks) }));
}
