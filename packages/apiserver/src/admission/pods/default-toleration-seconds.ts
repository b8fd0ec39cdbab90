import type { Toleration } from 'ots-kubernetes/core/v1';
import type { DecodedPod } from '../../built-in/pods/pod-strategy.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { isPodWrite } from './is-pod-write.ts';

const taints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
const seconds = 300;

/** Lets a pod stay for a while on a node with a problem, so short outages do no harm. */
export class DefaultTolerationSeconds implements AdmissionPlugin {
  readonly name = 'DefaultTolerationSeconds';

  handles(attributes: AdmissionAttributes): boolean {
    return isPodWrite(attributes) && (attributes.operation === 'CREATE' || attributes.operation === 'UPDATE');
  }

  mutate({ object }: AdmissionAttributes): undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
    const { spec } = object as DecodedPod;
    const { tolerations = [] } = spec;
    const added: Toleration[] = taints
      .filter((key) => !tolerations.some((toleration) => tolerates(toleration, key)))
      .map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: seconds }));
    if (added.length > 0) spec.tolerations = [...tolerations, ...added];
  }
}

function tolerates({ key, effect }: Toleration, taint: string): boolean {
  return (!key || key === taint) && (!effect || effect === 'NoExecute');
}
