/** One JSON document a line for machines, or text for people. */
export type LineFormat = 'json' | 'pretty';

interface Terminal {
  isTTY?: boolean;
  hasColors?(): boolean;
}

let latest: LineFormat | undefined;

/** The form of the lines of a logger that is made now: what was asked for, or what suits the stream. */
export function chooseFormat(asked: LineFormat | undefined, stream: object): LineFormat {
  latest = asked ?? (isTerminal(stream) ? 'pretty' : 'json');
  return latest;
}

/** What was chosen last; undefined when the program has not made a logger yet. */
export function latestFormat(): LineFormat | undefined {
  return latest;
}

/** Whether the stream shows colors: a terminal that has them, unless the environment says otherwise (NO_COLOR). */
export function showsColors(stream: object): boolean {
  return isTerminal(stream) && ((stream as Terminal).hasColors?.() ?? false);
}

function isTerminal(stream: object): boolean {
  return (stream as Terminal).isTTY === true;
}
