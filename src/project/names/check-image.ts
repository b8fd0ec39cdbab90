import { quoted } from './quoted.ts';
import { refuse } from './refuse.ts';

const maxNameLength = 255;
/** Limit of name, tag and digest together. */
const maxReferenceLength = 600;

/**
 * Checks the reference of a container image, `[host[:port]/]path[:tag][@digest]`, by the grammar of the OCI
 * distribution project. Manifests and Makefile commands contain it.
 *
 * @throws {OtsError} `INVALID_IMAGE`
 */
export function checkImage(image: string): void {
  const problem = imageProblem(image);
  if (problem === undefined) return;
  refuse(
    'INVALID_IMAGE',
    `The image ${quoted(image)} cannot be used: ${problem}`,
    'An image looks like memcached:1.6-alpine, ghcr.io/acme/app:v1 or localhost:5000/app@sha256:<64 hex digits>.',
  );
}

function imageProblem(image: string): string | undefined {
  if (image === '') return 'it is empty';
  if (image.length > maxReferenceLength) return `it is longer than ${maxReferenceLength} characters`;
  const [reference = '', digest, ...rest] = image.split('@');
  if (rest.length > 0) return 'it has two "@"';
  if (digest !== undefined && !/^[a-z0-9]+([+._-][a-z0-9]+)*:[0-9a-f]{32,128}$/.test(digest)) {
    return 'the text after "@" is not a digest';
  }
  // A colon after the last slash starts the tag; one before it starts the port of the registry.
  const colon = reference.indexOf(':', reference.lastIndexOf('/') + 1);
  const name = colon < 0 ? reference : reference.slice(0, colon);
  if (colon >= 0 && !/^\w[\w.-]{0,127}$/.test(reference.slice(colon + 1)))
    return 'the text after ":" is not a tag';
  if (name.length > maxNameLength) return `its name is longer than ${maxNameLength} characters`;
  return nameProblem(name);
}

function nameProblem(name: string): string | undefined {
  const path = name.split('/');
  const first = path[0] ?? '';
  if (path.length > 1 && (/[.:A-Z]/.test(first) || first === 'localhost')) {
    path.shift();
    const [, host = '', port] = /^(.*?)(?::([0-9]+))?$/s.exec(first) ?? [];
    if (!isHost(host)) return `${quoted(first)} is not the host of a registry`;
    if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return `${port} is not a port`;
  }
  const bad = path.find((segment) => !isPathSegment(segment));
  if (bad === undefined) return undefined;
  if (bad === '') return 'it has an empty part between slashes';
  return /[A-Z]/.test(bad)
    ? `${quoted(bad)} has upper-case letters, which only the host and the tag may have`
    : `${quoted(bad)} has characters that are not allowed there`;
}

function isHost(host: string): boolean {
  if (/^\[[0-9a-fA-F:]+\]$/.test(host)) return true;
  return host.split('.').every((label) => /^[a-zA-Z0-9-]+$/.test(label) && !/^-|-$/.test(label));
}

/** Letters and digits, joined by one dot, one or two underscores, or any number of hyphens. */
function isPathSegment(segment: string): boolean {
  return /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/.test(segment);
}
