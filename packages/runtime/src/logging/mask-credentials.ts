/** The replacement of masked values. */
export const masked = '[masked]';

/** Names under which credentials travel, without regard to case and punctuation: `clientSecret`, `id-token`. */
const secretName =
  /(?:token|password|passwd|passphrase|authorization|credentials?|cookie|apikey|privatekey|secretkey|accesskey|keydata|certdata|secret|stringdata)$/;

/** Whether the value of a field of this name is to be masked. `secretName` is not: it only names a Secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''));
}

/**
 * Credentials that are recognizable by their form, wherever they appear. The marker tells cheaply that there are none:
 * every line is looked at.
 */
const looks: readonly { marker: string; pattern: RegExp }[] = [
  {
    marker: 'PRIVATE KEY',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  // Tokens of service accounts and of OpenID Connect (RFC 7519). Not inside of a word: every start in a long one would
  // look through all of its rest. In JSON, a word begins after an escaped line break too.
  { marker: 'eyJ', pattern: /(?:(?<![\w-])|(?<=\\[nrt]))eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g },
  // The header of RFC 6750 and RFC 7617, as it is spelled everywhere.
  { marker: 'Bearer ', pattern: /(?<=(?:\b|\\[nrt])Bearer {1,8})[\w.~+/=-]{6,}/g },
  { marker: 'Basic ', pattern: /(?<=(?:\b|\\[nrt])Basic {1,8})[\w.~+/=-]{6,}/g },
  { marker: '://', pattern: /(?<=:\/\/)[^\s/@"\\]+(?=@)/g },
];

/** The text without recognizable credentials. */
export function maskCredentials(text: string): string {
  return looks.reduce(
    (rest, { marker, pattern }) => (rest.includes(marker) ? rest.replaceAll(pattern, masked) : rest),
    text,
  );
}
