/** What keeps a text from being the name of a time zone, in Go's words; nothing for one that is known. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'Local' || isKnown(name)) return undefined;
  return `unknown time zone ${name}`;
}

/** Names are read as written, where JavaScript takes any case, and offsets too. */
function isKnown(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
