import { type JsonObject, textOf, valueOf } from '../bundle/json.ts';

/** An object of the input, and where its author finds it. */
export interface InputObject {
  readonly object: JsonObject;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  /** The file, with the line on which the document starts. */
  readonly source: string;
}

/** The object as an {@link InputObject}; undefined without apiVersion or kind. */
export function inputObject(object: JsonObject, source: string): InputObject | undefined {
  const [apiVersion, kind] = [textOf(object, 'apiVersion'), textOf(object, 'kind')];
  if (apiVersion === '' || kind === '') return undefined;
  const slash = apiVersion.indexOf('/');
  const metadata = valueOf(object, 'metadata');
  return {
    object,
    group: apiVersion.slice(0, Math.max(slash, 0)),
    version: apiVersion.slice(slash + 1),
    kind,
    name: textOf(metadata, 'name'),
    namespace: textOf(metadata, 'namespace'),
    source,
  };
}

/** As in messages. */
export function nameOf({ kind, name }: InputObject): string {
  return name === '' ? kind : `${kind} ${name}`;
}
