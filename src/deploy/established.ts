import { type UnstructuredObject, isApiError, isKindMissing } from 'ots-runtime';
import { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { OtsError } from '../errors/ots-error.ts';
import { oneLine } from '../output/one-line.ts';
import { type Cluster, kindsOfDefinition } from './cluster.ts';
import { explainError } from './explain-error.ts';
import { objectName, referenceTo } from './object-name.ts';
import { type Deadline, poll } from './poll.ts';

/**
 * Waits until the server serves the kinds of these definitions.
 *
 * @throws OtsError `NOT_ESTABLISHED` with the reason of the server: at once if the names are taken, or else at the deadline
 */
export async function untilEstablished(
  cluster: Cluster,
  definitions: readonly UnstructuredObject[],
  deadline: Deadline,
): Promise<void> {
  for (const definition of definitions) {
    let problem = 'the server says nothing about it';
    const established = await poll(cluster, deadline, async () => {
      const found = await conditionsOf(cluster, definition);
      const isNamed = found.get('NamesAccepted');
      if (isNamed?.status === 'False') throw notEstablished(definition, textOf(isNamed));
      const condition = found.get('Established');
      if (condition?.status === 'True') return true;
      if (condition) problem = textOf(condition);
      return undefined;
    });
    if (!established) throw notEstablished(definition, problem, deadline);
    for (const kind of kindsOfDefinition(definition)) {
      const served = await poll(cluster, deadline, () => isServed(cluster, kind));
      if (!served) throw notEstablished(definition, `${kind.apiVersion} is not served`, deadline);
    }
  }
}

interface Condition {
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

async function conditionsOf(
  { client, signal }: Cluster,
  definition: UnstructuredObject,
): Promise<ReadonlyMap<string, Condition>> {
  const reference = referenceTo(definition);
  try {
    const found = await client.get(CustomResourceDefinition, { name: reference.name }, { signal });
    return new Map((found?.status?.conditions ?? []).map((condition) => [condition.type, condition]));
  } catch (error) {
    signal.throwIfAborted();
    throw explainError(error, reference);
  }
}

/** A refusal of another kind, for example of the right to list, also shows that the server knows the kind. */
async function isServed(
  { client, signal }: Cluster,
  kind: ReturnType<typeof kindsOfDefinition>[number],
): Promise<true | undefined> {
  try {
    await client.list(kind, { limit: 1, signal });
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (isKindMissing(error)) return undefined;
    if (isApiError(error)) return true;
    throw explainError(error);
  }
}

function textOf({ reason, message }: Condition): string {
  return oneLine([reason, message].filter(Boolean).join(': '));
}

function notEstablished(definition: UnstructuredObject, problem: string, deadline?: Deadline): OtsError {
  const after = deadline ? ` after ${String(deadline)}` : '';
  return new OtsError(
    'NOT_ESTABLISHED',
    `${objectName(referenceTo(definition))} is not established${after}: ${problem}`,
    {
      hint: 'If another definition has the names, delete it or choose others for the kind; or else look at the log of kube-apiserver.',
    },
  );
}
