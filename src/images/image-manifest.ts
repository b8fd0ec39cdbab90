import { type ImageReference } from './image-reference.ts';
import { type RegistryClient, parseJson, pullError } from './registry-client.ts';

/** What an image runs on. */
export interface Platform {
  readonly os: string;
  readonly architecture: string;
}

/** A part of an image, as in a manifest. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
}

/** The manifest of an image for one platform. */
export interface ImageManifest {
  readonly config: Descriptor;
  /** The first one is the lowest. */
  readonly layers: readonly Descriptor[];
}

interface Configuration extends Platform {
  readonly labels: Readonly<Record<string, string>>;
}

const maxConfigurationBytes = 4 * 2 ** 20;

/**
 * The platforms of an image. Attestations in an index have none.
 *
 * @throws OtsError `IMAGE_PULL`, `CREDENTIALS`
 */
export async function platformsOf(registry: RegistryClient, image: ImageReference): Promise<Platform[]> {
  const manifest = parseJson(image, (await registry.manifest(image)).bytes);
  const entries = entriesOf(manifest);
  if (entries) return entries.map(({ platform }) => platform).filter((platform) => isKnown(platform));
  const { os, architecture } = await configurationOf(registry, image, imageManifest(image, manifest));
  return [{ os, architecture }];
}

/**
 * The manifest of an image for this machine or, if it has none, for any other: what is in a bundle does not depend on it.
 *
 * @throws OtsError `IMAGE_PULL`, `CREDENTIALS`
 */
export async function manifestOf(
  registry: RegistryClient,
  image: ImageReference,
): Promise<ImageManifest & { readonly digest: string }> {
  const { bytes, digest } = await registry.manifest(image);
  const manifest = parseJson(image, bytes);
  const entries = entriesOf(manifest)?.filter(({ platform }) => platform.os !== 'unknown');
  if (!entries) return { ...imageManifest(image, manifest), digest };
  const own = process.arch === 'x64' ? 'amd64' : process.arch;
  const entry = entries.find(({ platform }) => platform.architecture === own) ?? entries[0];
  if (!entry) throw pullError(image, 'its index is empty', { hint: 'Build and push it again.' });
  const chosen = await registry.manifest(image, entry.digest);
  return { ...imageManifest(image, parseJson(image, chosen.bytes)), digest };
}

/**
 * The labels and the platform of an image.
 *
 * @throws OtsError `IMAGE_PULL`, `CREDENTIALS`
 */
export async function configurationOf(
  registry: RegistryClient,
  image: ImageReference,
  { config }: ImageManifest,
): Promise<Configuration> {
  const read = parseJson(image, await registry.blob(image, config.digest, maxConfigurationBytes));
  const labels = objectAt(objectAt(read, 'config'), 'Labels');
  return {
    ...platformIn(read),
    labels: Object.fromEntries(
      Object.entries(labels).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    ),
  };
}

interface Entry {
  readonly digest: string;
  readonly platform: Platform;
}

/** @returns undefined for a manifest that is not an index */
function entriesOf({ manifests }: Record<string, unknown>): Entry[] | undefined {
  if (!Array.isArray(manifests)) return undefined;
  return manifests.flatMap((entry: unknown) => {
    const { digest } = asObject(entry);
    return isDigest(digest) ? [{ digest, platform: platformIn(objectAt(entry, 'platform')) }] : [];
  });
}

function imageManifest(image: ImageReference, manifest: Record<string, unknown>): ImageManifest {
  const config = descriptorIn(manifest['config']);
  const layers = Array.isArray(manifest['layers'])
    ? manifest['layers'].map((layer) => descriptorIn(layer))
    : undefined;
  if (config && layers?.every((layer) => layer !== undefined)) return { config, layers };
  throw pullError(image, 'its manifest is not one of an OCI or Docker image', {
    hint: 'Build it with a current docker, podman or buildah, and push it again.',
  });
}

function descriptorIn(value: unknown): Descriptor | undefined {
  const { digest, mediaType } = asObject(value);
  return isDigest(digest) ? { digest, mediaType: typeof mediaType === 'string' ? mediaType : '' } : undefined;
}

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/.test(value);
}

function platformIn(value: Record<string, unknown>): Platform {
  const { os, architecture } = value;
  return {
    os: typeof os === 'string' ? os : '',
    architecture: typeof architecture === 'string' ? architecture : '',
  };
}

function isKnown({ os, architecture }: Platform): boolean {
  return !['', 'unknown'].includes(os) && !['', 'unknown'].includes(architecture);
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function objectAt(value: unknown, key: string): Record<string, unknown> {
  return asObject(asObject(value)[key]);
}
