import { normalize, refusal } from './normalize.ts';
import type { Answer, Session } from './session.ts';

/** Who requests a certificate, which only a server with authentication knows, and the time of its approval. */
const variable = new Set(['username', 'groups', 'lastUpdateTime']);

/** Turns the base object into the object of a case. */
export type Change = (object: any) => void;

/** New objects of one kind, by what is special about them. */
export interface CreateCases {
  /** Of the collection. */
  path: string;
  /** The object that each case changes. */
  base: any;
  cases: Record<string, Change>;
}

/** What a server answers to new objects, as a dry run. */
export async function askCreates(session: Session, { path, base, cases }: CreateCases): Promise<unknown> {
  const outcomes: Record<string, unknown> = {};
  for (const [name, change] of Object.entries(cases)) {
    const object = structuredClone(base);
    change(object);
    outcomes[name] = outcomeOf(await session.post(`${path}?dryRun=All`, object));
  }
  return outcomes;
}

/** What a server answers to updates of a new object, as a dry run. The object is created once. */
export async function askUpdates(
  session: Session,
  { path, base, cases }: CreateCases,
  subresource = '',
): Promise<unknown> {
  const created = await session.post(path, base);
  if (created.code !== 201) throw new Error(JSON.stringify(created.body));
  const outcomes: Record<string, unknown> = {};
  for (const [name, change] of Object.entries(cases)) {
    const object = structuredClone(created.body);
    change(object);
    const answer = await session.put(`${path}/${base.metadata.name}${subresource}?dryRun=All`, object);
    outcomes[name] = outcomeOf(answer);
  }
  return outcomes;
}

/** The object with its fields in a fixed order, or the refusal; and the warnings. */
export function outcomeOf(answer: Answer): unknown {
  const { code, body, warnings } = answer;
  const outcome = code >= 400 ? refusal(answer) : { code, object: inOrder(normalize(body)) };
  return Object.assign({}, outcome, warnings.length > 0 && { warnings });
}

/** A value with its keys sorted and without what varies. The order in which a server writes keys means nothing. */
function inOrder(value: any): any {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !variable.has(key))
    .map(([key, item]) => [key, inOrder(item)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
