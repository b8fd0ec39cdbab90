/** Characters that would break the line, hide text or turn its direction in a terminal. */
const invisible = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/**
 * Formats a value that a user typed for a message of one line: in quotes, escaped, and shortened if it is long.
 *
 * @param maxLength maximum number of characters to show
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
