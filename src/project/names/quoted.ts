/** Characters that would break the line, hide text or turn its direction in a terminal. */
const invisible = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/**
 * Shows a value that somebody typed inside a message of one line: in quotes, escaped, and cut when it is long.
 *
 * @param maxLength how many characters of the value are shown
 */
export function quoted(value: string, maxLength = 80): string {
  const characters = Array.from(value.slice(0, maxLength * 2));
  const shown =
    characters.length > maxLength || value.length > maxLength * 2
      ? `${characters.slice(0, maxLength).join('')}…`
      : value;
  return JSON.stringify(shown).replace(
    invisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
