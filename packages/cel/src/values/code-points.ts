import { order } from './numbers.ts';

/** Characters beyond the first 65,536 are two units of a JavaScript string, but one in CEL. */
const surrogate = /[\ud800-\udfff]/;

let measured = '';
let measuredLength = 0;

/** The number of code points of a text. */
export function codePointLength(text: string): number {
  if (text.length < 256) return count(text);
  // Loops measure the same long text again and again.
  if (text !== measured) {
    measured = text;
    measuredLength = count(text);
  }
  return measuredLength;
}

function count(text: string): number {
  let pairs = 0;
  for (let i = 0; i + 1 < text.length; i++) {
    if (isPairAt(text, i)) {
      pairs++;
      i++;
    }
  }
  return text.length - pairs;
}

function isPairAt(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** The characters of a text. Returns the text itself if each is one unit, because that has the same indexes. */
export function characters(text: string): string | readonly string[] {
  return surrogate.test(text) ? Array.from(text) : text;
}

/** The part of a text between two positions in code points. */
export function sliceCodePoints(text: string, start: number, end: number): string {
  const parts = characters(text);
  return typeof parts === 'string' ? parts.slice(start, end) : parts.slice(start, end).join('');
}

/** Compares by code points, whose order differs from that of UTF-16 units. */
export function compareStrings(a: string, b: string): -1 | 0 | 1 {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return order(rank(x), rank(y));
  }
  return order(a.length, b.length);
}

/** Surrogates sort after all other units, like their code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
