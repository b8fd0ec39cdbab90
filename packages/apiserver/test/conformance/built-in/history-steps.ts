import type { HistoryKind, Pool } from './history-kinds.ts';
import { mergePatched } from '../../support/merge-patched.ts';
import type { Randomness } from '../../support/randomness.ts';
import type { Answer, Session } from '../../support/session.ts';

/** One write of a history. Servers from which it read the same objects receive the same write. */
export interface HistoryStep {
  /** Shown in failures. */
  title: string;
  send(session: Session): Promise<Answer>;
}

const metadata: Pool = {
  'metadata.labels': [{ a: '1' }, { a: '2', b: '1' }, {}, { b: '2' }, { 'a b': '' }],
  'metadata.annotations': [{ x: '1' }, { x: '2', y: '1' }, {}],
  'metadata.finalizers': [['a.b/c'], ['a.b/c', 'a.b/d'], []],
  'metadata.ownerReferences': [
    [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }],
    [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'p', uid: 'v', controller: true }],
    [],
  ],
};
const unknown: Pool = { 'spec.nope': [1], nope: ['x'], 'metadata.nope': [{}] };
const managers = ['ann', 'ann', 'bob', 'bob', '', 'kubectl'];
const mergeTypes = ['application/merge-patch+json', 'application/strategic-merge-patch+json'];

/** Generates the writes of one object's history. */
export class HistorySteps {
  readonly #random: Randomness;
  readonly #kind: HistoryKind;
  readonly #name: string;
  readonly #fields: Pool;

  constructor(random: Randomness, kind: HistoryKind, name: string) {
    this.#random = random;
    this.#kind = kind;
    this.#name = name;
    this.#fields = { ...kind.fields, ...metadata };
  }

  next(): HistoryStep {
    const random = this.#random;
    const apiVersion = random.pick(this.#kind.apiVersions);
    const collection = collectionOf(this.#kind, apiVersion);
    const path = `${collection}/${this.#name}`;
    const { status, isScaled } = this.#kind;
    if (random.chance(0.1)) return this.#create(apiVersion, collection);
    if (random.chance(0.06)) return this.#delete(path);
    if (isScaled && random.chance(0.08)) return this.#scale(path);
    if (status && random.chance(0.2)) return this.#write(apiVersion, `${path}/status`);
    return this.#write(apiVersion, path);
  }

  #create(apiVersion: string, collection: string): HistoryStep {
    const body = this.#object(apiVersion, this.#random.chance(0.3) ? this.#change(0) : {});
    return this.#step('POST', collection, () => ({ body }));
  }

  #delete(path: string): HistoryStep {
    const body = this.#random.pick([
      {},
      { gracePeriodSeconds: 0 },
      { propagationPolicy: 'Foreground' },
      { propagationPolicy: 'Orphan' },
    ]);
    return { title: `DELETE ${path}`, send: (session) => session.delete(path, body) };
  }

  #scale(path: string): HistoryStep {
    const replicas = this.#random.pick([0, 1, 4, -1]);
    const body = { spec: { replicas } };
    const how = this.#random.pick(['put', 'merge', 'apply']);
    if (how === 'merge') return this.#patch(`${path}/scale`, 'application/merge-patch+json', body);
    if (how === 'put') return this.#replace(`${path}/scale`, (object) => ({ ...object, ...body }));
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: this.#name }, ...body };
    return this.#apply(`${path}/scale`, scale);
  }

  #write(apiVersion: string, path: string): HistoryStep {
    const isLimited = this.#kind.isMadeByStatus && path.endsWith('/status');
    const how = this.#random.pick(isLimited ? ['merge', 'json'] : ['put', 'merge', 'json', 'apply', 'apply']);
    if (how === 'put') return this.#put(apiVersion, path);
    if (how === 'merge') return this.#patch(path, this.#random.pick(mergeTypes), this.#change(0.15));
    if (how === 'json') return this.#patch(path, 'application/json-patch+json', this.#operations());
    const change = this.#change(0.03);
    const isWhole = this.#random.chance(0.5);
    const object = { apiVersion, kind: this.#kind.kind, metadata: { name: this.#name } };
    return this.#apply(
      path,
      mergePatched(isWhole ? mergePatched(baseOf(this.#kind, apiVersion), object) : object, change),
    );
  }

  #put(apiVersion: string, path: string): HistoryStep {
    const change = this.#random.chance(0.1) ? {} : this.#change(0.2);
    if (this.#random.chance(0.2)) {
      const body = this.#object(apiVersion, change);
      return this.#replace(path, () => body);
    }
    const left = this.#random.pick(['', '', '', 'resourceVersion', 'managedFields', 'uid', 'generation']);
    return this.#replace(path, (object) => {
      const changed = mergePatched(object, change);
      delete changed.metadata?.[left];
      return changed;
    });
  }

  #replace(path: string, change: (object: any) => unknown): HistoryStep {
    return this.#step('PUT', path, async (session) => {
      const { code, body } = await session.get(path);
      return { body: change(code === 200 ? body : { metadata: { name: this.#name } }) };
    });
  }

  #apply(path: string, body: unknown): HistoryStep {
    const force = this.#random.chance(0.4) ? 'force=true' : '';
    return this.#step('PATCH', path, () => ({ body, contentType: 'application/apply-patch+yaml' }), force);
  }

  #patch(path: string, contentType: string, body: unknown): HistoryStep {
    return this.#step('PATCH', path, () => ({ body, contentType }));
  }

  #step(
    method: string,
    path: string,
    sendingOf: (session: Session) => Parameters<Session['send']>[2] | Promise<Parameters<Session['send']>[2]>,
    query = '',
  ): HistoryStep {
    const random = this.#random;
    const manager = random.pick(managers);
    const parameters = [
      manager === '' && query === '' ? '' : `fieldManager=${manager === '' ? 'cat' : manager}`,
      query,
      random.chance(0.1) ? 'dryRun=All' : '',
      random.chance(0.1) ? 'fieldValidation=Strict' : '',
    ].filter((part) => part !== '');
    const target = `${path}?${parameters.join('&')}`;
    const step = {
      title: `${method} ${target}`,
      send: async (session: Session) => {
        const sending = await sendingOf(session);
        step.title = `${method} ${target} ${sending?.contentType ?? ''} ${JSON.stringify(sending?.body)}`;
        return session.send(method, target, sending);
      },
    };
    return step;
  }

  #object(apiVersion: string, change: unknown): any {
    const typed = { apiVersion, kind: this.#kind.kind, metadata: { name: this.#name } };
    return mergePatched(mergePatched(baseOf(this.#kind, apiVersion), typed), change);
  }

  /** A merge patch that sets some fields and removes others. */
  #change(nulls: number): unknown {
    const random = this.#random;
    const pool = { ...this.#fields, ...(random.chance(0.3) && this.#kind.status) };
    const entries = Object.entries(random.chance(0.04) ? unknown : pool);
    const statuses = Object.entries(this.#kind.status ?? {});
    const change = {};
    for (let count = random.pick([1, 2, 3]); count > 0; count -= 1) {
      const isStatus = statuses.length > 0 && random.chance(0.2);
      const [path, values] = random.pick(isStatus ? statuses : entries);
      put(change, path.split('.'), random.chance(nulls) ? null : random.pick(values));
    }
    return change;
  }

  /** A JSON patch. */
  #operations(): unknown[] {
    const random = this.#random;
    const pool = Object.entries({ ...this.#fields, ...this.#kind.status });
    return Array.from({ length: random.pick([1, 1, 2]) }, () => {
      const [path, values] = random.pick(pool);
      const op = random.pick(['add', 'add', 'replace', 'remove', 'test']);
      const value = random.pick(values);
      const inner = innerOf(random, value);
      const pointer = `/${[...path.split('.'), ...inner.keys].join('/')}`;
      return op === 'remove' ? { op, path: pointer } : { op, path: pointer, value: inner.value };
    });
  }
}

/** The collection path of a kind. */
export function collectionOf({ isClusterScoped, plural }: HistoryKind, apiVersion: string): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${root}/${isClusterScoped ? '' : 'namespaces/default/'}${plural}`;
}

/** A valid object of a kind, in a version. */
export function baseOf({ base }: HistoryKind, apiVersion: string): Record<string, unknown> {
  return typeof base === 'function' ? base(apiVersion) : base;
}

function put(target: any, [key = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[key] = value;
  else put((target[key] ??= {}), rest, value);
}

/** A random part of a value. */
function innerOf(random: Randomness, value: any): { keys: string[]; value: unknown } {
  if (typeof value !== 'object' || value === null || random.chance(0.4)) return { keys: [], value };
  const keys = Object.keys(value);
  if (keys.length === 0) return { keys: [], value };
  const key = random.pick(keys);
  const inner = innerOf(random, value[key]);
  return { keys: [key.replaceAll('/', '~1'), ...inner.keys], value: inner.value };
}
