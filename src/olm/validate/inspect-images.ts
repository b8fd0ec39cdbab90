import { OtsError } from '../../errors/ots-error.ts';
import { parseImage } from '../../images/image-reference.ts';
import { platformsOf } from '../../images/image-manifest.ts';
import { mapInParallel } from '../../images/map-in-parallel.ts';
import { RegistryClient } from '../../images/registry-client.ts';
import type { InspectedImage, InspectedImages } from './validator.ts';

/** Asks registries for the platforms of images. An image that cannot be read has a problem instead. */
export async function inspectImages(
  images: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<InspectedImages> {
  const registry = new RegistryClient(env);
  return new Map(
    await mapInParallel(images, async (image) => [image, await inspectImage(registry, image)] as const),
  );
}

async function inspectImage(registry: RegistryClient, image: string): Promise<InspectedImage> {
  try {
    return { platforms: await platformsOf(registry, parseImage(image)) };
  } catch (error) {
    if (error instanceof OtsError) return { problem: error.message };
    throw error;
  }
}
