import { goQuote } from 'ots-apimachinery/go/go-quote';
import type { Kind } from 'ots-kubernetes';
import type { Scale } from 'ots-kubernetes/autoscaling/v1';
import {
  type Client,
  type DeepReadonly,
  NoKindMatchError,
  type ObjectKey,
  type RestMapper,
} from 'ots-runtime';

/** An object with a subresource `scale`. */
export interface ScaleTarget {
  readonly replicas: number;
  /** How many it has. */
  readonly currentReplicas: number;
  /** Selects its pods; empty if it does not say. */
  readonly selector: string;
  /** Changes how many replicas it asks for. */
  resize(replicas: number): Promise<void>;
}

/** Finds what an autoscaler scales. @throws {Error} in the words of kube-controller-manager */
export async function scaleTarget(
  client: Client,
  mapper: RestMapper,
  reference: DeepReadonly<{ apiVersion?: string; kind: string }>,
  key: ObjectKey,
): Promise<ScaleTarget> {
  const kind = await kindOf(mapper, reference);
  const scales = client.subresource<Scale>('scale');
  const scale = await scales.get(kind, key);
  const { spec = {}, status } = scale;
  return {
    replicas: spec.replicas ?? 0,
    currentReplicas: status?.replicas ?? 0,
    selector: status?.selector ?? '',
    resize: async (replicas) => {
      await scales.update(kind, { ...scale, spec: { ...spec, replicas } });
    },
  };
}

/** The kind of an object that an autoscaler names. @throws {Error} if the server has none */
export async function kindOf(
  mapper: RestMapper,
  { apiVersion = 'v1', kind }: DeepReadonly<{ apiVersion?: string; kind: string }>,
): Promise<Kind> {
  try {
    return await mapper.kindFor(apiVersion, kind);
  } catch (error) {
    if (!(error instanceof NoKindMatchError)) throw error;
    const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
    throw new Error(`no matches for kind ${goQuote(kind)} in group ${goQuote(group)}`, { cause: error });
  }
}
