import { parseImage, pinnedImage } from './image-reference.ts';
import { mapInParallel } from './map-in-parallel.ts';
import { RegistryClient } from './registry-client.ts';

/**
 * Asks registries for the digests of images. An image with a digest has it already.
 *
 * @returns references by digest, by the references that they replace
 * @throws OtsError `INVALID_IMAGE`, `IMAGE_PULL`, `CREDENTIALS`
 */
export async function resolveDigests(
  images: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Map<string, string>> {
  const registry = new RegistryClient(env);
  const parsed = images.map((text) => ({ text, image: parseImage(text) }));
  const entries = await mapInParallel(
    parsed.filter(({ image }) => !image.isPinned),
    async ({ text, image }) => [text, pinnedImage(image, (await registry.manifest(image)).digest)] as const,
  );
  return new Map(entries);
}
