/** Undoes what keeps a value from ending its comment: `*\/` means `*` and a slash. */
export function unescapeComment(text: string): string {
  return text.replaceAll('*\\/', '*/');
}
