/** One JSON document per line for machines, or text for people. */
export type LineFormat = 'json' | 'pretty';

interface Terminal {
  isTTY?: boolean;
  hasColors?(): boolean;
}

let latest: LineFormat | undefined;

/** Returns the format for a new logger: the requested one, or the one that suits the stream. */
export function chooseFormat(asked: LineFormat | undefined, stream: object): LineFormat {
  latest = asked ?? (isTerminal(stream) ? 'pretty' : 'json');
  return latest;
}

/** Returns the format that was chosen last; undefined when the program has not created a logger yet. */
export function latestFormat(): LineFormat | undefined {
  return latest;
}

/** Returns true when the stream is a terminal with colors, unless the environment turns them off (NO_COLOR). */
export function showsColors(stream: object): boolean {
  return isTerminal(stream) && ((stream as Terminal).hasColors?.() ?? false);
}

function isTerminal(stream: object): boolean {
  return (stream as Terminal).isTTY === true;
}
