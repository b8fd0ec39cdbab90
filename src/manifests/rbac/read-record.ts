/** A request of a record, as rules see it. */
export type RecordedAccess =
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      /** Empty for the object itself. */
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly verb: string; readonly path: string };

/** What a user asked for while a test ran. */
export interface RbacRecord {
  readonly user: string;
  readonly requests: readonly RecordedAccess[];
}

/** Parses a record that `environment.requests.write` of ots-testing wrote. Undefined if the text is not one. */
export function readRecord(text: string): RbacRecord | undefined {
  const value = parse(text);
  if (!isObject(value) || value['version'] !== 1 || typeof value['user'] !== 'string') return undefined;
  if (!Array.isArray(value['requests'])) return undefined;
  const requests = value['requests'].map(readRequest);
  return requests.every((request) => request !== undefined) ? { user: value['user'], requests } : undefined;
}

function readRequest(value: unknown): RecordedAccess | undefined {
  const text = (key: string): string | undefined => {
    const found = isObject(value) ? value[key] : undefined;
    return typeof found === 'string' ? found : undefined;
  };
  const [verb, path, group, full] = ['verb', 'path', 'group', 'resource'].map(text);
  if (verb === undefined) return undefined;
  if (path !== undefined) return { verb, path };
  const [namespace, name] = [text('namespace'), text('name')];
  if (group === undefined || full === undefined || namespace === undefined || name === undefined)
    return undefined;
  const [resource = '', subresource = ''] = full.split('/');
  return { verb, group, resource, subresource, namespace, name };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
