/**
 * The default pull policy: `Always` for the tag `latest`, which moves.
 *
 * @param image such as `registry:5000/path/name:tag@sha256:…`
 */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  return tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

const maxNameLength = 255;

/** The tag; `latest` without tag and digest; empty for an invalid name. */
function tagOf(image: string): string {
  const reference =
    /^(?<name>(?:[A-Za-z0-9.:-]+\/)?[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*)*)(?::(?<tag>\w[\w.-]{0,127}))?(?<digest>@[A-Za-z][\w.+-]*:[0-9a-fA-F]{32,})?$/.exec(
      image,
    );
  if (!reference?.groups) return '';
  const { name = '', tag, digest } = reference.groups;
  if (name.length > maxNameLength) return '';
  return tag ?? (digest === undefined ? 'latest' : '');
}
