import type { HPAScalingRules, HorizontalPodAutoscaler } from 'ots-kubernetes/autoscaling/v2';
import type { FieldError } from '../../status/field-error.ts';
import { BuiltInStrategy } from '../../registry/built-in-strategy.ts';
import type { Specified } from './specified.ts';
import { validateAutoscaler } from './validate-autoscaler.ts';
import { validateCounts } from './validate-replica-status.ts';

const period = 15;

/** HorizontalPodAutoscalers. */
export class HorizontalPodAutoscalerStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: Specified<HorizontalPodAutoscaler>): void {
    spec.minReplicas ??= 1;
    if ((spec.metrics ?? []).length === 0) {
      const target = { type: 'Utilization', averageUtilization: 80 };
      spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
    }
    if (!spec.behavior) return;
    const { scaleUp, scaleDown } = spec.behavior;
    spec.behavior = { scaleUp: rulesUp(scaleUp), scaleDown: rulesDown(scaleDown) };
  }

  override validate({ spec }: Specified<HorizontalPodAutoscaler>): FieldError[] {
    return validateAutoscaler(spec);
  }

  override validateUpdate(
    { spec }: Specified<HorizontalPodAutoscaler>,
    old: Specified<HorizontalPodAutoscaler>,
  ): FieldError[] {
    return validateAutoscaler(spec, old.spec);
  }

  override validateStatusUpdate({ status }: Specified<HorizontalPodAutoscaler>): FieldError[] {
    return validateCounts(status ?? {}, ['currentReplicas', 'desiredReplicas']);
  }
}

function rulesUp(rules: HPAScalingRules | undefined): HPAScalingRules {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: period },
      { type: 'Percent', value: 100, periodSeconds: period },
    ],
    ...rules,
  };
}

/** The controller has its own default for the stabilization window. */
function rulesDown(rules: HPAScalingRules | undefined): HPAScalingRules {
  return {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: period }],
    ...rules,
  };
}
