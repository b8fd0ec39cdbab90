/** The replacement of masked values. */
export const masked = '[masked]';

/** Names of fields that contain credentials, regardless of case and punctuation: `clientSecret`, `id-token`. */
const secretName =
  /(?:token|password|passwd|passphrase|authorization|credentials?|cookie|apikey|privatekey|secretkey|accesskey|keydata|certdata|secret|stringdata)$/;

/** Returns true if the value of a field with this name must be masked. `secretName` only names a Secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''));
}

/**
 * Credentials that are recognizable by their form, wherever they appear. The marker is a cheap test, because every line
 * is checked.
 */
const looks: readonly { marker: string; pattern: RegExp }[] = [
  {
    marker: 'PRIVATE KEY',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  },
  // Tokens of service accounts and of OpenID Connect (RFC 7519). Only at the start of a word: otherwise each position
  // in a long word would scan the rest of it. In JSON, a word also starts after an escaped line break.
  { marker: 'eyJ', pattern: /(?:(?<![\w-])|(?<=\\[nrt]))eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g },
  // The header of RFC 6750 and RFC 7617, in its usual spelling.
  { marker: 'Bearer ', pattern: /(?<=(?:\b|\\[nrt])Bearer {1,8})[\w.~+/=-]{6,}/g },
  { marker: 'Basic ', pattern: /(?<=(?:\b|\\[nrt])Basic {1,8})[\w.~+/=-]{6,}/g },
  { marker: '://', pattern: /(?<=:\/\/)[^\s/@"\\]+(?=@)/g },
];

/** Masks recognizable credentials in the text. */
export function maskCredentials(text: string): string {
  return looks.reduce(
    (rest, { marker, pattern }) => (rest.includes(marker) ? rest.replaceAll(pattern, masked) : rest),
    text,
  );
}
