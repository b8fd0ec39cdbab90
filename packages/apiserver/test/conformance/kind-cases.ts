import { normalize, refusal } from './normalize.ts';
import type { Answer, Session } from './session.ts';

/** Who asks for a certificate, which only a server that authenticates knows; and when it was approved. */
const variable = new Set(['username', 'groups', 'lastUpdateTime']);

/** Makes an object the one of a case. */
export type Change = (object: any) => void;

/** Objects of one kind that is created, by what is particular about them. */
export interface CreateCases {
  /** Of the collection. */
  path: string;
  /** What each case changes. */
  base: any;
  cases: Record<string, Change>;
}

/** What a server makes of objects, without keeping them. */
export async function askCreates(session: Session, { path, base, cases }: CreateCases): Promise<unknown> {
  const outcomes: Record<string, unknown> = {};
  for (const [name, change] of Object.entries(cases)) {
    const object = structuredClone(base);
    change(object);
    outcomes[name] = outcomeOf(await session.post(`${path}?dryRun=All`, object));
  }
  return outcomes;
}

/** What a server makes of updates of a new object, without keeping them. The object is made once. */
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

/** The object in a fixed order of fields, or why there is none; and what the server says beside it. */
export function outcomeOf(answer: Answer): unknown {
  const { code, body, warnings } = answer;
  const outcome = code >= 400 ? refusal(answer) : { code, object: inOrder(normalize(body)) };
  return Object.assign({}, outcome, warnings.length > 0 && { warnings });
}

/** A value with its keys sorted, in which order a server writes them says nothing; and without what varies. */
function inOrder(value: any): any {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !variable.has(key))
    .map(([key, item]) => [key, inOrder(item)] as const);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
