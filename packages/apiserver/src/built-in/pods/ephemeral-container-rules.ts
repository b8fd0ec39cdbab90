import type { UpdateRules } from '../../registry/strategy.ts';
import { type FieldError, forbidden } from '../../status/field-error.ts';
import { keepAllBut } from './keep-all-but.ts';
import type { DecodedPod } from './pod-strategy.ts';
import { sameSpec } from './same-spec.ts';
import { validatePod } from './validation/validate-pod-create.ts';

const path = 'spec.ephemeralContainers';

/** Rules for adding containers to a running pod. Existing ones are immutable. */
export const ephemeralContainerRules: UpdateRules = {
  prepare(pod: DecodedPod, old: DecodedPod): void {
    const { ephemeralContainers } = pod.spec;
    keepAllBut(pod, old, { ephemeralContainers });
  },

  validate(pod: DecodedPod, old: DecodedPod): FieldError[] {
    if (old.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined)
      return [forbidden('[]', 'static pods do not support ephemeral containers')];
    const containers = new Map((pod.spec.ephemeralContainers ?? []).map((item) => [item.name, item]));
    return [
      ...validatePod(pod),
      ...(old.spec.ephemeralContainers ?? []).flatMap((before) => {
        const now = containers.get(before.name);
        const subject = `existing ephemeral containers ${JSON.stringify(before.name)} may not be`;
        if (!now) return [forbidden(path, `${subject} removed\n`)];
        // The real server appends the difference in Go's notation.
        return sameSpec(now, before) ? [] : [forbidden(path, `${subject} changed\n`)];
      }),
    ];
  },
};
