const names: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u001B': 'escape',
  '\u001B[A': 'up',
  '\u001BOA': 'up',
  '\u001B[B': 'down',
  '\u001BOB': 'down',
  '\u0003': 'ctrl-c',
  '\u000C': 'ctrl-l',
};

/** The keys in what a terminal sent: characters, or `enter`, `escape`, `up`, `down`, `ctrl-c`, `ctrl-l`. Others are not there. */
export function readKeys(text: string): string[] {
  // oxlint-disable-next-line no-control-regex -- keys without a character begin with escape
  const sequences = text.match(/\u001B\[[\d;?]*[ -/]*[@-~]|\u001BO.|[^]/gu) ?? [];
  return sequences.flatMap((sequence) => names[sequence] ?? (/^[!-~]$/.test(sequence) ? sequence : []));
}

/**
 * Reads keys from a terminal, one at a time and without showing them.
 *
 * @returns what ends that; undefined if standard input is not a terminal
 */
export function listenToKeys(
  stdin: NodeJS.ReadStream,
  onKey: (key: string) => void,
): (() => void) | undefined {
  if (!stdin.isTTY) return undefined;
  const listen = (chunk: Buffer | string): void => {
    for (const key of readKeys(chunk.toString())) onKey(key);
  };
  stdin.setRawMode(true);
  stdin.on('data', listen);
  stdin.resume();
  return () => {
    stdin.off('data', listen);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
