import type { DaemonSet, DaemonSetUpdateStrategy, RollingUpdateDaemonSet } from 'ots-kubernetes/apps/v1';
import type { PodTemplateSpec } from 'ots-kubernetes/core/v1';
import { goQuote } from 'ots-apimachinery/go/go-quote';
import { DecodeError } from '../../decoding/decode-error.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import { validateImmutable } from '../validation/validate-immutable.ts';
import { validateNonNegative } from '../validation/validate-number.ts';
import { isNothing, showRollingUpdate, validateIntOrShare } from './int-or-percent.ts';
import { showSelector } from './show-fields.ts';
import type { Specified } from './specified.ts';
import { TemplatedStrategy } from './templated-strategy.ts';
import { validateEndlessTemplate } from './validate-endless-template.ts';
import { validateCollisionCount, validateCounts } from './validate-replica-status.ts';
import { validateSelected, validateSelector } from './validate-selector.ts';

/** Counts the changes of the template: a former field that is now an annotation. */
const generationKey = 'deprecated.daemonset.template.generation';

/** DaemonSets. */
export class DaemonSetStrategy extends TemplatedStrategy {
  protected override readonly namesPods = false;

  protected override templateOf({ spec }: Specified<DaemonSet>): PodTemplateSpec | undefined {
    return spec.template;
  }

  override setDefaults(object: Specified<DaemonSet>): void {
    super.setDefaults(object);
    const { spec } = object;
    const strategy = (spec.updateStrategy ??= {});
    strategy.type ||= 'RollingUpdate';
    const isRolling = strategy.type === 'RollingUpdate';
    if (isRolling || strategy.rollingUpdate)
      strategy.rollingUpdate = {
        maxUnavailable: isRolling ? 1 : 0,
        maxSurge: 0,
        ...strategy.rollingUpdate,
      };
    spec.revisionHistoryLimit ??= 10;
    setTemplateGeneration(object, templateGeneration(object));
  }

  protected override warnedAbout(
    object: Specified<DaemonSet>,
    old: Specified<DaemonSet> | undefined,
  ): Specified<DaemonSet> | undefined {
    return old && templateGeneration(object) === templateGeneration(old) ? undefined : object;
  }

  override prepareForCreate(object: Specified<DaemonSet>): void {
    super.prepareForCreate(object);
    setTemplateGeneration(object, Math.max(templateGeneration(object), 1));
  }

  override prepareForUpdate(object: Specified<DaemonSet>, old: Specified<DaemonSet>): void {
    super.prepareForUpdate(object, old);
    const isSame = jsonEqual(object.spec.template, old.spec.template);
    setTemplateGeneration(object, templateGeneration(old) + (isSame ? 0 : 1));
  }

  override prepareForStatusUpdate(object: Specified<DaemonSet>, old: Specified<DaemonSet>): void {
    super.prepareForStatusUpdate(object, old);
    setTemplateGeneration(object, templateGeneration(old));
  }

  override validate(object: Specified<DaemonSet>): FieldError[] {
    const { selector, template, minReadySeconds, updateStrategy, revisionHistoryLimit } = object.spec;
    return [
      ...(selector ? validateSelector(selector, 'daemonset') : []),
      ...validateSelected(selector, template),
      ...validateEndlessTemplate(template, 'DaemonSet'),
      ...validateNonNegative('spec.minReadySeconds', minReadySeconds),
      ...validateUpdateStrategy(updateStrategy ?? {}),
      ...validateNonNegative('spec.revisionHistoryLimit', revisionHistoryLimit),
    ];
  }

  override validateUpdate(object: Specified<DaemonSet>, old: Specified<DaemonSet>): FieldError[] {
    const { selector } = object.spec;
    return [
      ...validateImmutable('spec.selector', selector && showSelector(selector), old.spec.selector),
      ...this.validate(object),
    ];
  }

  override validateStatusUpdate(
    { status }: Specified<DaemonSet>,
    { status: old }: Specified<DaemonSet>,
  ): FieldError[] {
    return [
      ...validateCounts(status ?? {}, [
        'currentNumberScheduled',
        'numberMisscheduled',
        'desiredNumberScheduled',
        'numberReady',
        'observedGeneration',
        'updatedNumberScheduled',
        'numberAvailable',
        'numberUnavailable',
        'collisionCount',
      ]),
      ...validateCollisionCount(status ?? {}, old ?? {}),
    ];
  }
}

function templateGeneration({ metadata }: Specified<DaemonSet>): number {
  const text = metadata.annotations?.[generationKey] ?? '0';
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new DecodeError(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
}

function setTemplateGeneration({ metadata }: Specified<DaemonSet>, generation: number): void {
  metadata.annotations = { ...metadata.annotations, [generationKey]: `${generation}` };
}

function validateUpdateStrategy({ type, rollingUpdate }: DaemonSetUpdateStrategy): FieldError[] {
  switch (type) {
    case 'OnDelete':
      return [];
    case 'RollingUpdate':
      return validateRollingUpdate(rollingUpdate ?? {}, 'spec.updateStrategy.rollingUpdate');
    default: {
      // In Go's internal notation.
      const shown = { Type: type, RollingUpdate: showRollingUpdate(rollingUpdate) };
      return [notSupported('spec.updateStrategy', shown, ['RollingUpdate', 'OnDelete'])];
    }
  }
}

function validateRollingUpdate(
  { maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet,
  path: string,
): FieldError[] {
  const errors = [
    ...validateIntOrShare(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrShare(maxSurge, `${path}.maxSurge`),
  ];
  if (isNothing(maxUnavailable) !== isNothing(maxSurge)) return errors;
  return isNothing(maxSurge)
    ? [...errors, required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]
    : [...errors, invalid(`${path}.maxSurge`, maxSurge, 'may not be set when maxUnavailable is non-zero')];
}
