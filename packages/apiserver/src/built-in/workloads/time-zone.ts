/** Go's error about a text that is not a time zone; undefined for a known one. */
export function timeZoneProblem(name: string): string | undefined {
  if (name === '' || name === 'Local' || isKnown(name)) return undefined;
  return `unknown time zone ${name}`;
}

/** Names are case-sensitive here; JavaScript accepts any case, and offsets too. */
function isKnown(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}
