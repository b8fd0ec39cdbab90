const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?';
const host = String.raw`(?:${label}(?:\.${label})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const component = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const tag = String.raw`\w[\w.-]{0,127}`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(`^${host}(?:/${component})+(?::${tag})?(?:@${digest})?$`);
const identifier = /^[a-f0-9]{64}$/;
const maxLength = 255;

/**
 * What is wrong with the name of an image, in the words of a container runtime
 * (https://pkg.go.dev/github.com/distribution/reference); undefined if nothing is.
 */
export function imageNameProblem(image: string): string | undefined {
  if (identifier.test(image))
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  const { registry, rest } = splitRegistry(image);
  const [repository = ''] = rest.split(':');
  if (repository !== repository.toLowerCase())
    return `invalid reference format: repository name (${repository}) must be lowercase`;
  const full = `${registry}/${rest}`;
  if (!reference.test(full)) return 'invalid reference format';
  const path = rest.replace(/@.*/, '').replace(/:[^/]*$/, '');
  return path.length > maxLength
    ? `repository name must not be more than ${maxLength} characters`
    : undefined;
}

/** What is before the first slash is a registry if it looks like the name of a machine. */
function splitRegistry(image: string): { registry: string; rest: string } {
  const [first = ''] = image.split('/', 1);
  const isRegistry =
    first !== image && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  if (isRegistry) return { registry: first, rest: image.slice(first.length + 1) };
  return { registry: 'docker.io', rest: image.includes('/') ? image : `library/${image}` };
}
