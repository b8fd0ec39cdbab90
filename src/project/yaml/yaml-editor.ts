import { isDeepStrictEqual } from 'node:util';
import { type Document, type YAMLMap, type YAMLSeq, isMap, isNode, isScalar, isSeq } from 'yaml';
import { type Data, isData } from './data.ts';
import { YamlStyle, contentEnd, flow, pairEnd } from './yaml-style.ts';

interface Splice {
  start: number;
  end: number;
  text: string;
}

/**
 * Changes YAML in place: only the characters of changed values change, so comments, order, quotes and spacing stay. It
 * can replace values, add and remove keys, append to lists and remove their items, and replace a removed key by one that continues or
 * shortens its name (`controller` becomes `controllers`).
 */
export class YamlEditor {
  readonly #text: string;
  readonly #style: YamlStyle;
  readonly #splices: Splice[] = [];

  constructor(text: string, document: Document.Parsed) {
    this.#text = text;
    this.#style = new YamlStyle(text, document);
  }

  /**
   * @param map the node of `before`
   * @returns the text with `after` in its place
   */
  edit(map: YAMLMap, before: Data, after: Data): string {
    this.#updateMap(map, before, after);
    let result = '';
    let done = 0;
    // Sorting is stable: the first insertion at a place stays first.
    for (const { start, end, text } of this.#splices.toSorted((a, b) => a.start - b.start)) {
      result += this.#text.slice(done, start) + text;
      done = end;
    }
    return result + this.#text.slice(done);
  }

  /** Works from the inside out, because an added key comes after the whole value of its predecessor. */
  #updateMap(map: YAMLMap, before: Data, after: Data): void {
    const keys = Object.keys(after);
    for (const key of keys.filter((candidate) => Object.hasOwn(before, candidate))) {
      this.#updateValue(map, key, before[key], after[key]);
    }
    const gone = new Set(Object.keys(before).filter((key) => !Object.hasOwn(after, key)));
    for (const key of keys.filter((candidate) => !Object.hasOwn(before, candidate)).toSorted()) {
      const replaced = [...gone].find((old) => key.startsWith(old) || old.startsWith(key));
      if (replaced !== undefined) gone.delete(replaced);
      this.#addPair(map, key, after[key], replaced);
    }
    if (map.flow) {
      const indexes = [...map.items.keys()].filter((index) => gone.has(keyOf(map.items[index]!)));
      this.#removeFlow(map.items, indexes, (pair) => [startOf(pair.key), pairEnd(pair)]);
    } else for (const key of gone) this.#removePair(map, key);
  }

  #updateValue(map: YAMLMap, key: string, before: unknown, after: unknown): void {
    if (isDeepStrictEqual(before, after)) return;
    const node = map.get(key, true);
    if (isMap(node) && node.items.length > 0 && isData(before) && isData(after)) {
      this.#updateMap(node, before, after);
    } else if (isSeq(node) && node.items.length > 0 && isList(before) && isList(after)) {
      this.#updateSeq(node, before, after);
    } else {
      this.#replaceValue(map, key, node, after);
    }
  }

  #updateSeq(seq: YAMLSeq, before: unknown[], after: unknown[]): void {
    if (after.length < before.length) {
      const kept = keptIndexes(before, after);
      const gone = [...before.keys()].filter((index) => !kept.has(index));
      if (seq.flow) this.#removeFlow(seq.items, gone, (item) => [startOf(item), contentEnd(item)]);
      else for (const index of gone) this.#removeItem(seq, index);
      return;
    }
    for (const [index, item] of seq.items.entries()) {
      const [old, wanted] = [before[index], after[index]];
      if (isMap(item) && isData(old) && isData(wanted)) this.#updateMap(item, old, wanted);
    }
    for (const value of after.slice(before.length)) this.#append(seq, value);
  }

  #append(seq: YAMLSeq, value: unknown): void {
    const end = contentEnd(seq.items.at(-1));
    if (seq.flow) {
      this.#splices.push({ start: end, end, text: `, ${flow(value)}` });
      return;
    }
    const column = this.#style.column(seq.range?.[0] ?? 0);
    this.#insertLines(
      this.#endOfComments(this.#endOfLine(end), column),
      this.#style.block([value], column),
      column,
    );
  }

  /** @param map has at least one pair: empty maps are replaced as a whole */
  #addPair(map: YAMLMap, key: string, value: unknown, replaced: string | undefined): void {
    const old = map.items.find((pair) => keyOf(pair) === replaced);
    const first = map.items[0];
    const column = this.#style.column(startOf(first?.key));
    const text = map.flow
      ? flow({ [key]: value })
          .slice(1, -1)
          .trim()
      : this.#style.block({ [key]: value }, column);
    if (old) {
      this.#splices.push({ start: startOf(old.key), end: pairEnd(old), text });
      return;
    }
    if (map.flow) {
      const end = pairEnd(map.items.at(-1)!);
      this.#splices.push({ start: end, end, text: `, ${text}` });
      return;
    }
    const predecessor = isSorted(map) ? map.items.findLast((pair) => keyOf(pair) < key) : map.items.at(-1);
    if (predecessor) {
      this.#insertLines(this.#endOfLine(pairEnd(predecessor)), text, column);
    } else {
      const at = startOf(first?.key);
      this.#splices.push({ start: at, end: at, text: `${text}${this.#style.eol}${' '.repeat(column)}` });
    }
  }

  /** Removes a key and its value in block style. Comments between the items of a list stay, as those between keys do. */
  #removePair(map: YAMLMap, key: string): void {
    const pair = map.items.find((candidate) => keyOf(candidate) === key);
    if (!pair) return;
    const start = startOf(pair.key);
    const lineStart = this.#startOfLine(start);
    if (this.#text.slice(lineStart, start).trim() !== '') {
      this.#removeFirstPair(start, pairEnd(pair));
      return;
    }
    const { value } = pair;
    if (!isSeq(value) || value.flow || value.items.length === 0) {
      this.#removeLines(lineStart, pairEnd(pair));
      return;
    }
    this.#removeLines(lineStart, contentEnd(pair.key));
    for (const item of value.items.keys()) this.#removeItem(value, item);
  }

  /** What follows the first pair of an item moves behind the dash. */
  #removeFirstPair(start: number, offset: number): void {
    const rest = this.#endOfLine(offset);
    const end = rest + (/^\s*/.exec(this.#text.slice(rest))?.[0].length ?? 0);
    this.#splices.push({ start, end, text: '' });
  }

  #removeItem(seq: YAMLSeq, index: number): void {
    const item = seq.items[index];
    const dash = this.#text.lastIndexOf('-', startOf(item) - 1);
    const end = this.#endOfComments(this.#endOfLine(contentEnd(item)), this.#style.column(dash));
    this.#removeLines(this.#startOfLine(dash), end);
  }

  /** Removes some of several parts that commas separate, with their commas. */
  #removeFlow<Part>(
    parts: readonly Part[],
    indexes: readonly number[],
    rangeOf: (part: Part) => [number, number],
  ): void {
    for (const first of indexes.filter((index) => !indexes.includes(index - 1))) {
      let last = first;
      while (indexes.includes(last + 1)) last += 1;
      const [next, previous] = [parts[last + 1], parts[first - 1]];
      const [start, end] = [rangeOf(parts[first]!)[0], rangeOf(parts[last]!)[1]];
      if (next !== undefined) this.#splices.push({ start, end: rangeOf(next)[0], text: '' });
      else
        this.#splices.push({ start: previous === undefined ? start : rangeOf(previous)[1], end, text: '' });
    }
  }

  /** Removes whole lines. Without a line break after the last line of the file, the one before it goes. */
  #removeLines(start: number, end: number): void {
    const endOfLine = this.#endOfLine(end);
    const next = this.#text.indexOf('\n', endOfLine) + 1;
    if (next > 0) this.#splices.push({ start, end: next, text: '' });
    else this.#splices.push({ start: Math.max(0, this.#endOfLine(start - 2)), end: endOfLine, text: '' });
  }

  #startOfLine(offset: number): number {
    const start = this.#text.lastIndexOf('\n', offset - 1) + 1;
    return start === 0 && this.#text.startsWith('\uFEFF') ? 1 : start;
  }

  #replaceValue(map: YAMLMap, key: string, node: unknown, value: unknown): void {
    const pair = map.items.find((candidate) => keyOf(candidate) === key);
    const colon = this.#text.indexOf(':', contentEnd(pair?.key)) + 1;
    const end = Math.max(contentEnd(node), colon);
    const isEmpty = end <= Math.max(startOf(node), colon);
    if (map.flow || typeof value !== 'object' || isEmptyList(value)) {
      const text = flow(value);
      // The items of a list in block style begin below its key.
      const isBelow = isEmpty || (isSeq(node) && !node.flow);
      this.#splices.push(
        isBelow
          ? { start: colon, end: isEmpty ? colon : end, text: ` ${text}` }
          : { start: startOf(node), end, text },
      );
      return;
    }
    const column = this.#style.column(startOf(pair?.key));
    const lines = this.#style.block({ [key]: value }, column);
    this.#splices.push({ start: colon, end: isEmpty ? colon : end, text: '' });
    const at = this.#endOfLine(end);
    this.#splices.push({ start: at, end: at, text: lines.slice(lines.indexOf(this.#style.eol)) });
  }

  /** @param at the end of the line after which the lines go */
  #insertLines(at: number, lines: string, column: number): void {
    this.#splices.push({ start: at, end: at, text: `${this.#style.eol}${' '.repeat(column)}${lines}` });
  }

  /** @returns the offset of the line break after the content that ends at `offset`, or the end of the file */
  #endOfLine(offset: number): number {
    // The content of a block scalar ends after its line break.
    const from = this.#text[offset - 1] === '\n' ? offset - 1 : offset;
    const found = this.#text.indexOf('\n', from);
    if (found < 0) return this.#text.length;
    return this.#text[found - 1] === '\r' ? found - 1 : found;
  }

  /** Skips comments below an item of a list that are indented more than its dash: they belong to it. */
  #endOfComments(endOfLine: number, dashColumn: number): number {
    const comment = /\r?\n([ \t]*)#[^\n]*/y;
    let end = endOfLine;
    for (;;) {
      comment.lastIndex = end;
      const indent = comment.exec(this.#text)?.[1];
      if (indent === undefined || indent.length <= dashColumn) return end;
      end = comment.lastIndex - (this.#text[comment.lastIndex - 1] === '\r' ? 1 : 0);
    }
  }
}

/** Whether a value is a list with items. */
function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The places in a list of the items that remain, which keep their order. */
function keptIndexes(before: readonly unknown[], after: readonly unknown[]): Set<number> {
  const kept = new Set<number>();
  let from = 0;
  for (const item of after) {
    const index = before.findIndex((old, place) => place >= from && isDeepStrictEqual(old, item));
    if (index < 0) break;
    kept.add(index);
    from = index + 1;
  }
  return kept;
}

function isSorted(map: YAMLMap): boolean {
  return map.items.every((pair, index) => index === 0 || keyOf(map.items[index - 1]!) < keyOf(pair));
}

function keyOf(pair: YAMLMap['items'][number]): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
