import { normalize, refusal } from '../../support/normalize.ts';
import type { Answer, Session } from '../../support/session.ts';

/**
 * What a step does: a request, and whether the quota controller counts again because of it; if it does that for several quotas, which
 * ones: it writes them one by one, and what it writes late may be older than what admission has counted meanwhile.
 */
export interface Step {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the namespace, such as `pods`; with a group before a colon, such as `apps:deployments`. */
  path: string;
  body?: any;
  recounts?: boolean | readonly string[];
}

export const create = (path: string, name: string, fields: object = {}): Step => ({
  method: 'POST',
  path,
  body: { metadata: { name }, ...fields },
});
export const patch = (path: string, body: object, recounts = false): Step => ({
  method: 'PATCH',
  path,
  body,
  recounts,
});
export const remove = (path: string, recounts: readonly string[] | true = true): Step => ({
  method: 'DELETE',
  path,
  recounts,
});

/** Works in a namespace with quotas. */
export class QuotaSession {
  readonly #session: Session;
  readonly #namespace: string;

  constructor(session: Session, namespace: string) {
    this.#session = session;
    this.#namespace = namespace;
  }

  /** Creates the namespace and quotas, and waits until the controller has counted. */
  async open(quotas: Record<string, object>): Promise<void> {
    await this.#session.post('/api/v1/namespaces', { metadata: { name: this.#namespace } });
    for (const [name, spec] of Object.entries(quotas)) {
      const { code, body } = await this.#session.post(this.#pathOf('resourcequotas'), {
        metadata: { name },
        spec,
      });
      if (code !== 201) throw new Error(body.message);
    }
    await this.#until(async () => Object.values(await this.statuses()).every(({ hard }: any) => hard));
  }

  /** The status of every quota, by name. */
  async statuses(): Promise<Record<string, any>> {
    const { body } = await this.#session.get(this.#pathOf('resourcequotas'));
    return Object.fromEntries(
      body.items.map(({ metadata, status }: any) => [metadata.name, inOrder(status)]),
    );
  }

  /** @returns the answers to the steps, each with what the quotas record as used afterward */
  async run(steps: Record<string, Step>): Promise<Record<string, unknown>> {
    const outcomes: Record<string, unknown> = {};
    for (const [title, { method, path, body, recounts }] of Object.entries(steps)) {
      const before = await this.statuses();
      const contentType = method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
      const answer = await this.#session.send(method, this.#pathOf(path), { body, contentType });
      if (recounts) await this.#until(() => this.#hasRecounted(before, recounts));
      outcomes[title] = { ...answered(answer), used: await this.#used() };
    }
    return outcomes;
  }

  /** Whether one of the quotas has changed, or each of those that are named. */
  async #hasRecounted(before: Record<string, any>, names: readonly string[] | true): Promise<boolean> {
    const now = await this.statuses();
    const hasChanged = (name: string): boolean => JSON.stringify(now[name]) !== JSON.stringify(before[name]);
    return names === true ? Object.keys(before).some(hasChanged) : names.every(hasChanged);
  }

  async #used(): Promise<unknown> {
    const statuses = Object.entries(await this.statuses());
    return Object.fromEntries(statuses.map(([name, { used }]) => [name, used]));
  }

  async #until(probe: () => Promise<boolean>): Promise<void> {
    while (!(await probe())) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  #pathOf(path: string): string {
    const [, group, rest = ''] = /^(?:([^:]*):)?(.*)$/.exec(path) ?? [];
    const root = group === undefined ? '/api/v1' : `/apis/${group.includes('/') ? group : `${group}/v1`}`;
    return `${root}/namespaces/${this.#namespace}/${rest}`;
  }
}

function answered(answer: Answer): object {
  if (answer.code < 400) return { code: answer.code };
  const text = JSON.stringify(normalize(refusal(answer))).replaceAll(/gen-[a-z0-9]{5}/g, 'gen-<suffix>');
  return JSON.parse(text);
}

function inOrder(value: any): any {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, inOrder(item)] as const);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
