import type { Toleration } from 'ots-kubernetes/core/v1';
import type { RuntimeClass, Scheduling } from 'ots-kubernetes/node/v1';
import { dnsLabel } from 'ots-apimachinery/names';
import { type FieldError, duplicate, required } from '../../status/field-error.ts';
import type { BuiltInObject } from '../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import { validateResources } from '../pods/validation/validate-resources.ts';
import { validateTolerations } from '../pods/validation/validate-scheduling.ts';
import { errorsOfRule } from '../validation/errors-of-rule.ts';
import { validateImmutable } from '../validation/validate-immutable.ts';
import { validateLabels } from '../validation/validate-label-selector.ts';

/** RuntimeClasses: which runtime runs the containers of a pod, and on which nodes. */
export class RuntimeClassStrategy extends BuiltInStrategy {
  override validate({ handler, scheduling, overhead }: BuiltInObject<RuntimeClass>): FieldError[] {
    return [
      ...(handler === '' ? [required('handler')] : errorsOfRule('handler', handler, dnsLabel)),
      ...(overhead?.podFixed ? validateResources({ limits: overhead.podFixed }, new Set(), 'overhead') : []),
      ...(scheduling ? validateScheduling(scheduling) : []),
    ];
  }

  override validateUpdate(
    object: BuiltInObject<RuntimeClass>,
    old: BuiltInObject<RuntimeClass>,
  ): FieldError[] {
    return [...this.validate(object), ...validateImmutable('handler', object.handler, old.handler)];
  }
}

function validateScheduling({ nodeSelector = {}, tolerations = [] }: Scheduling): FieldError[] {
  const seen = new Set<string>();
  return [
    ...validateLabels(nodeSelector, 'scheduling.nodeSelector'),
    ...validateTolerations(tolerations, 'scheduling.tolerations'),
    ...tolerations.flatMap((toleration, index) => {
      const { TolerationSeconds: _, ...key } = inGo(toleration);
      const id = JSON.stringify(key);
      const isKnown = seen.has(id);
      seen.add(id);
      return isKnown ? [duplicate(`scheduling.tolerations[${index}]`, inGo(toleration))] : [];
    }),
  ];
}

/** A toleration as messages show it. */
function inGo(toleration: Toleration): Record<string, unknown> {
  const { key = '', operator, value = '', effect, tolerationSeconds = null } = toleration;
  return {
    Key: key,
    Operator: operator ?? '',
    Value: value,
    Effect: effect ?? '',
    TolerationSeconds: tolerationSeconds,
  };
}
