import { CST } from 'yaml';
import { type JsonObject, setKey } from '../json/json-object.ts';
import { yamlScalars } from './yaml-scalars.ts';

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;
type Item = CST.CollectionItem;
type Scalar = string | number | bigint | boolean | null;

/** A value that is not read yet, and its destination. */
interface Unread {
  readonly token: CST.Token | null | undefined;
  readonly put: (value: unknown) => void;
}

/**
 * Reads a document that is nested too deeply for the YAML library, whose composer recurses for each level. This
 * function does not recurse. It reads what occurs at such depths: no anchors, tags, merge keys, or lists and maps
 * as keys.
 *
 * @param note receives duplicate keys, with the position of their values
 * @throws {SyntaxError} when the document uses more than that, or is malformed
 */
export function readDeepTokens(
  tokens: readonly CST.Token[],
  note: (key: string, start: number) => void,
): unknown {
  const document = tokens.find((token) => token.type === 'document');
  const broken = tokens.find((token) => token.type === 'error');
  if (broken) throw new SyntaxError(`yaml: ${broken.message}`);
  let root: unknown = null;
  refuseProperties(document?.start);
  const open: Unread[] = [{ token: document?.value, put: (value) => (root = value) }];
  for (const { token, put } of open) {
    if (!CST.isCollection(token)) put(scalarOf(token));
    else if (isMap(token)) put(readMap(token, open, note));
    else put(readList(token, open));
  }
  return root;
}

function isMap(token: Collection): boolean {
  if (token.type !== 'flow-collection') return token.type === 'block-map';
  const close = token.start.source === '{' ? '}' : ']';
  if (!token.end.some(({ source }) => source === close))
    throw new SyntaxError('yaml: did not find expected node content');
  return close === '}';
}

function readMap(token: Collection, open: Unread[], note: (key: string, start: number) => void): JsonObject {
  const map: JsonObject = {};
  for (const item of token.items) {
    if (isBlank(item)) continue;
    const key = keyOf(item);
    if (Object.hasOwn(map, key)) note(key, (item.value ?? item.key ?? token).offset);
    // Reserve the key's position, in whatever order values are read.
    setKey(map, key, null);
    open.push({ token: item.value, put: (value) => setKey(map, key, value) });
  }
  return map;
}

function readList(token: Collection, open: Unread[]): unknown[] {
  const list: unknown[] = [];
  for (const item of token.items) {
    if (token.type === 'flow-collection' && isBlank(item)) continue;
    refuseProperties(item.start, item.sep);
    if (item.sep?.some(({ type }) => type === 'map-value-ind')) throw unsupported('a map without braces');
    const index = list.push(null) - 1;
    open.push({ token: item.value ?? item.key, put: (value) => (list[index] = value) });
  }
  return list;
}

/** The empty item after a trailing comma. */
function isBlank({ key, sep, value }: Item): boolean {
  return !key && !value && !sep?.some(({ type }) => type === 'map-value-ind');
}

function keyOf({ start, key, sep }: Item): string {
  refuseProperties(start, sep);
  if (CST.isCollection(key)) throw unsupported('a key that is a list or a map');
  const value = scalarOf(key);
  if (value === '<<') throw unsupported('a merge');
  if (value === null) throw new SyntaxError(nullKey('…'));
  return String(value);
}

/** kube-apiserver's words for a null key, which JSON cannot represent. @param value what it leads to, in Go's syntax */
export function nullKey(value: string): string {
  return `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${value}`;
}

function scalarOf(token: CST.Token | null | undefined): Scalar {
  if (!token) return null;
  if (token.type === 'alias') throw unsupported('an alias');
  const scalar = CST.resolveAsScalar(token, true, (_offset, _code, message) => {
    throw new SyntaxError(`yaml: ${message}`);
  });
  if (!scalar) throw new SyntaxError(`yaml: unexpected ${token.type}`);
  const { type, value } = scalar;
  const tag = type === 'PLAIN' ? yamlScalars.find(({ test }) => test?.test(value)) : undefined;
  return tag?.resolve ? (tag.resolve as (text: string) => Scalar)(value) : value;
}

function refuseProperties(...lists: (readonly CST.SourceToken[] | undefined)[]): void {
  const property = lists
    .flatMap((list) => list ?? [])
    .find(({ type }) => type === 'anchor' || type === 'tag');
  if (property) throw unsupported(property.type === 'tag' ? 'a tag' : 'an anchor');
}

function unsupported(what: string): SyntaxError {
  return new SyntaxError(`yaml: ${what} is not supported in a document that is nested so deep; write it out`);
}
