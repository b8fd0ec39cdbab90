import type { DevChange } from '../model/dev-change.ts';

/** A change as one line of NDJSON (https://github.com/ndjson/ndjson-spec), without characters that a terminal would obey. */
export function jsonLine(change: DevChange): string {
  // JSON escapes those below U+0020 only.
  const json = JSON.stringify(change).replace(
    /[\u007F-\u009F\p{Zl}\p{Zp}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${json}\n`;
}
