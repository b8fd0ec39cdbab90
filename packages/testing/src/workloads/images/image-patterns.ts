import { createHash } from 'node:crypto';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import { TestEnvironmentError } from '../../errors/test-environment-error.ts';
import type { Application, Images } from './application.ts';

/**
 * Finds the application of an image; undefined if no pattern selects it.
 *
 * @throws {TestEnvironmentError} when an application is neither an object nor a function
 */
export function applicationFinder(images: Images): (image: string) => Application | undefined {
  const patterns = Object.entries(images).map(([pattern, application]) => {
    if (!['object', 'function'].includes(typeof application) || application === null)
      throw new TestEnvironmentError(
        `The application of image ${goQuote(pattern)} is neither an object nor a function`,
        'Use a behavior, such as { readyAfter: "2s" }, or a function that returns one.',
      );
    return { matches: imageMatcher(pattern), application };
  });
  return (image) => patterns.find(({ matches }) => matches(image))?.application;
}

/** Tells whether a pattern selects an image: `*` is any text. */
export function imageMatcher(pattern: string): (image: string) => boolean {
  const text = pattern.split('*').map(escapeRegExp).join('.*');
  const expression = new RegExp(`^${text}$`, 's');
  return (image) => expression.test(image) || expression.test(taggedImage(image));
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** The image with its tag, which is `latest` if it has none. */
function taggedImage(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return name.includes(':') || name.includes('@') ? image : `${image}:latest`;
}

/** The full name of an image, with registry, as a container runtime reports it. */
export function fullImage(image: string): string {
  const tagged = taggedImage(image);
  const [first = ''] = tagged.split('/');
  if (!tagged.includes('/')) return `docker.io/library/${tagged}`;
  return /[.:]/.test(first) || first === 'localhost' ? tagged : `docker.io/${tagged}`;
}

const imageIds = new Map<string, string>();

/** What identifies an image in the status of a container: its repository with a digest. */
export function imageId(image: string): string {
  const known = imageIds.get(image);
  if (known !== undefined) return known;
  const id = newImageId(image);
  imageIds.set(image, id);
  return id;
}

function newImageId(image: string): string {
  const [name = ''] = fullImage(image).split('@');
  const tag = name.lastIndexOf(':');
  const repository = tag > name.lastIndexOf('/') ? name.slice(0, tag) : name;
  return `${repository}@sha256:${createHash('sha256').update(fullImage(image)).digest('hex')}`;
}
