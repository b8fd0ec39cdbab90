import { OtsError } from '../errors/ots-error.ts';
import { imageProblem } from './image-problem.ts';

/** Where an image is. */
export interface ImageReference {
  /** Host and perhaps port, such as `ghcr.io` or `localhost:5000`; `docker.io` where the text names none. */
  readonly registry: string;
  /** The path in the registry, such as `library/memcached`. */
  readonly repository: string;
  /** A digest, such as `sha256:…`, or else a tag. */
  readonly version: string;
  /** Whether the version is a digest. */
  readonly isPinned: boolean;
}

/**
 * Reads the reference of an image, `[registry/]path[:tag][@digest]`. As in Docker, the registry is Docker Hub and the tag is `latest`
 * where the text does not say more, and a digest wins over a tag.
 *
 * @throws OtsError `INVALID_IMAGE`
 */
export function parseImage(image: string): ImageReference {
  const problem = imageProblem(image);
  if (problem !== undefined)
    throw new OtsError('INVALID_IMAGE', `The reference of the image ${problem}`, {
      hint: 'An image looks like memcached:1.6-alpine, ghcr.io/acme/app:v1 or localhost:5000/app@sha256:<64 hex digits>.',
    });
  const [name = '', digest] = image.split('@');
  const { registry, path } = split(name);
  const colon = path.indexOf(':');
  const repository = colon === -1 ? path : path.slice(0, colon);
  const tag = colon === -1 ? 'latest' : path.slice(colon + 1);
  return {
    registry,
    repository: registry === 'docker.io' && !repository.includes('/') ? `library/${repository}` : repository,
    version: digest ?? tag,
    isPinned: digest !== undefined,
  };
}

/** The first part is a registry if a path could not be called so. */
function split(name: string): { readonly registry: string; readonly path: string } {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const isRegistry = /[.:A-Z]/.test(first) || first === 'localhost';
  if (!isRegistry) return { registry: 'docker.io', path: name };
  return { registry: first === 'index.docker.io' ? 'docker.io' : first, path: name.slice(slash + 1) };
}

/** The reference of an image by its digest, in full. */
export function pinnedImage({ registry, repository }: ImageReference, digest: string): string {
  return `${registry}/${repository}@${digest}`;
}
