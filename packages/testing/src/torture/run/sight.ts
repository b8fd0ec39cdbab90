/** An object, as a life of an operator may know it. */
export interface KnownObject {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
  readonly uid: string;
}

/** What the server sends: an object, a list of objects, or an event of a watch. */
interface Received {
  readonly kind?: string;
  readonly metadata?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
  readonly items?: readonly Received[] | null;
  readonly object?: Received;
}

/** Which objects one life of an operator may know, from what it has received. */
export class Sight {
  /** JSON. It is read only when a question comes: most lives delete nothing. */
  #unread: (string | Buffer)[] = [];
  readonly #names = new Set<string>();
  readonly #uids = new Set<string>();
  #isComplete = true;

  /** @param json a response, or an event of a watch */
  receive(json: string | Buffer): void {
    this.#unread.push(json);
  }

  /** Something arrives that cannot be read here. From now on the operator may know every object. */
  receiveUnread(): void {
    this.#isComplete = false;
  }

  /** Whether it has received an object of this kind and name, but never the one with this UID. */
  knowsOnlyAnother(object: KnownObject): boolean {
    for (const json of this.#unread) this.#read(parsed(json));
    this.#unread = [];
    return this.#isComplete && this.#names.has(nameOf(object)) && !this.#uids.has(object.uid);
  }

  #read({ kind = '', metadata, items, object }: Received): void {
    if (object) this.#read(object);
    // Items of built-in kinds do not say their kind.
    for (const item of items ?? []) this.#read({ kind: kind.replace(/List$/, ''), ...item });
    const { namespace, name, uid } = metadata ?? {};
    if (name === undefined || uid === undefined) return;
    this.#names.add(nameOf({ kind, namespace, name }));
    this.#uids.add(uid);
  }
}

function nameOf({ kind, namespace = '', name }: Omit<KnownObject, 'uid'>): string {
  return `${kind} ${namespace}/${name}`;
}

function parsed(json: string | Buffer): Received {
  const text = json.toString();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server sends objects, and texts such as that of its health
  return (text.startsWith('{') ? JSON.parse(text) : {}) as Received;
}
