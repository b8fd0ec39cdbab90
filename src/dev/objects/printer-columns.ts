import type { Kind } from 'ots-kubernetes';
import type { Client, UnstructuredObject } from 'ots-runtime';
import type { ObjectState } from '../model/dev-state.ts';
import type { AnyObject } from './object-state.ts';

type Columns = ObjectState['columns'];

/** A `Table` of `meta.k8s.io/v1`, as kubectl asks for it. */
interface Table {
  readonly columnDefinitions: readonly { readonly name: string; readonly priority: number }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}

const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
/** Shown for every object in another place. */
const common = new Set(['Name', 'Age', 'Created At']);

/** What `kubectl get` prints about objects: the server knows it for every kind. */
export class PrinterColumns {
  readonly #client: Client;
  readonly #columns = new Map<string, Columns>();
  /** What is asked for now, and whether it has changed since. */
  readonly #asking = new Map<string, { isStale: boolean; done: Promise<void> }>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The last known columns of an object. */
  known(uid: string): Columns {
    return this.#columns.get(uid) ?? [];
  }

  /** Asks for the columns of an object. Resolves when they are known, or cannot be known. */
  of({ kind, object }: { kind: Kind<UnstructuredObject>; object: AnyObject }): Promise<void> {
    const uid = object.metadata.uid ?? '';
    const current = this.#asking.get(uid);
    if (current) {
      current.isStale = true;
      return current.done;
    }
    const asking = { isStale: true, done: Promise.resolve() };
    this.#asking.set(uid, asking);
    asking.done = this.#ask(kind, object, asking).finally(() => this.#asking.delete(uid));
    return asking.done;
  }

  async #ask(
    kind: Kind<UnstructuredObject>,
    { metadata }: AnyObject,
    asking: { isStale: boolean },
  ): Promise<void> {
    const scope =
      metadata.namespace === undefined ? '' : `namespaces/${encodeURIComponent(metadata.namespace)}/`;
    const root = kind.group === '' ? '/api' : `/apis/${kind.group}`;
    const path = `${root}/${kind.version}/${scope}${kind.plural}/${encodeURIComponent(metadata.name ?? '')}`;
    while (asking.isStale) {
      asking.isStale = false;
      // The object may be gone, and with it its columns.
      const table = await this.#client.raw<Table>({ path, accept }).catch(() => undefined);
      const cells = table?.rows[0]?.cells ?? [];
      const columns = (table?.columnDefinitions ?? []).flatMap(({ name, priority }, index) =>
        priority > 0 || common.has(name) ? [] : [{ name, value: cellText(cells[index]) }],
      );
      this.#columns.set(metadata.uid ?? '', columns);
    }
  }
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
