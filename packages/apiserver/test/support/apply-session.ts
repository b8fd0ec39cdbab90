import { normalize, refusal } from './normalize.ts';
import type { Answer, Session } from './session.ts';

/** A request to send later. */
export type Step = () => Promise<Answer>;

/** Makes requests in the names of field managers. */
export class ApplySession {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** @param query beside `fieldManager`, such as `force=true` */
  apply(manager: string, path: string, body: unknown, query = ''): Step {
    const raw = typeof body === 'string' ? body : JSON.stringify(named(body, path));
    return this.#send('PATCH', path, manager, { raw, contentType: 'application/apply-patch+yaml' }, query);
  }

  create(manager: string, path: string, body: unknown, query = ''): Step {
    return this.#send('POST', path, manager, { body }, query);
  }

  put(manager: string, path: string, body: unknown, query = ''): Step {
    return this.#send('PUT', path, manager, { body }, query);
  }

  merge(manager: string, path: string, body: unknown, query = ''): Step {
    return this.#send('PATCH', path, manager, { body, contentType: 'application/merge-patch+json' }, query);
  }

  jsonPatch(manager: string, path: string, body: unknown): Step {
    return this.#send('PATCH', path, manager, { body, contentType: 'application/json-patch+json' });
  }

  get(path: string): Step {
    return () => this.#session.get(path);
  }

  #send(
    method: string,
    path: string,
    manager: string,
    sending: Parameters<Session['send']>[2],
    query = '',
  ): Step {
    const parameters = [manager === '' ? '' : `fieldManager=${manager}`, query].filter((part) => part !== '');
    const search = parameters.length === 0 ? '' : `?${parameters.join('&')}`;
    return () => this.#session.send(method, `${path}${search}`, sending);
  }
}

/** An applied configuration must contain the name of its object. */
function named(body: any, path: string): unknown {
  const { metadata = {} } = body;
  if (typeof metadata !== 'object') return body;
  return {
    ...body,
    metadata: {
      name: path
        .replace(/\/(status|scale)$/, '')
        .split('/')
        .at(-1),
      ...metadata,
    },
  };
}

/** The value with its keys sorted, because each server has its own order. */
export function sorted(value: any): any {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
}

/**
 * Who owns what: one line for each entry of `managedFields`, in an order that does not depend on the clock, and its fields as
 * they are written.
 */
export function ownersOf(body: any): Record<string, unknown> {
  const entries: any[] = body.metadata?.managedFields ?? [];
  const lines = entries.map(
    ({
      manager,
      operation,
      apiVersion,
      time,
      fieldsType,
      fieldsV1,
      subresource,
      ...rest
    }): [string, unknown] => [
      [manager, operation, apiVersion, subresource ?? '-', time ? 'timed' : 'untimed', fieldsType].join(' '),
      { text: JSON.stringify(fieldsV1), ...rest },
    ],
  );
  return Object.fromEntries(lines.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The parts of an answer that a client can rely on. */
export function outcome(answer: Answer): unknown {
  const { code, body, warnings } = answer;
  if (body.kind === 'Status') return refusal(answer);
  return {
    code,
    ...(warnings.length > 0 && { warnings }),
    object: sorted(normalize(body)),
    owners: ownersOf(body),
  };
}

/** An answer about a kind for which a real server adds fields: who owns which fields, and the parts that the case compares. */
export function ownership(answer: Answer, ...parts: string[]): unknown {
  const { code, body } = answer;
  if (body.kind === 'Status') return refusal(answer);
  const shown = parts.map((part) => [
    part,
    part.split('.').reduce((value, key) => value?.[key], sorted(body)),
  ]);
  return { code, owners: ownersOf(body), ...Object.fromEntries(shown) };
}
