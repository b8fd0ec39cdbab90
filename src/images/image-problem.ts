const hostPart = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][-a-zA-Z0-9]*[a-zA-Z0-9])';
const host = `(?:${hostPart}(?:\\.${hostPart})*|\\[[a-fA-F0-9:]+\\])(?::\\d+)?`;
const pathPart = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9A-Fa-f]{32,}';
const reference = new RegExp(
  `^((?:${host}/)?${pathPart}(?:/${pathPart})*)(?::[A-Za-z0-9_][-.A-Za-z0-9_]{0,127})?(?:@(${digest}))?$`,
);
const digestLengths = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/**
 * What is wrong with the reference of an image. Source: the grammar of distribution/reference, in which a name without a registry is one
 * of Docker Hub.
 *
 * @returns undefined when nothing is
 */
export function imageProblem(image: string): string | undefined {
  if (image === '') return 'is empty; name an image';
  // Long texts would make the expression slow, and no reference is so long.
  if (image.length > 1000) return 'is too long for the reference of an image';
  if (/^[a-f0-9]{64}$/.test(image)) return `is "${image}", an ID, not the reference of an image`;
  const slash = image.indexOf('/');
  const first = slash === -1 ? '' : image.slice(0, slash);
  const hasHost =
    first !== '' && (/[.:]/.test(first) || first === 'localhost' || first.toLowerCase() !== first);
  const rest = hasHost ? image.slice(slash + 1) : image;
  const [path = ''] = rest.split(/[:@]/);
  if (path !== path.toLowerCase()) return `is "${image}"; the path of an image has no capitals`;
  const full = hasHost ? image : `docker.io/${slash === -1 ? 'library/' : ''}${image}`;
  const match = reference.exec(full);
  if (!match) return `is "${image}", which is not the reference of an image`;
  if (match[1]!.length > 255) return 'is too long for the reference of an image';
  return match[2] === undefined || isDigest(match[2])
    ? undefined
    : `is "${image}", whose digest is malformed`;
}

function isDigest(text: string): boolean {
  const [algorithm = '', hex = ''] = text.split(':');
  return digestLengths.get(algorithm) === hex.length && /^[0-9a-f]+$/.test(hex);
}
