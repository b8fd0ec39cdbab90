import type {
  LimitResponse,
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from 'ots-kubernetes/flowcontrol/v1';
import { type FieldError, forbidden, invalid, required } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { keepMetadata } from '../../keep-metadata.ts';
import { requireChoice } from '../../validation/validate-choice.ts';
import { validateConditionTypes } from './validate-condition-types.ts';

type Level = BuiltInObject<PriorityLevelConfiguration>;

const maxQueues = 10_000_000;
/** The bits of the hash that assigns queues. */
const hashBits = 60;

/** PriorityLevelConfigurations: how many requests of a level run at once, and how the others queue. */
export class PriorityLevelStrategy extends BuiltInStrategy {
  override setDefaults({ spec }: Level): void {
    const { exempt, limited } = spec ?? {};
    if (exempt) exempt.nominalConcurrencyShares ??= 0;
    if (exempt) exempt.lendablePercent ??= 0;
    if (!limited) return;
    limited.nominalConcurrencyShares ??= 30;
    limited.lendablePercent ??= 0;
    const queuing = limited.limitResponse?.queuing;
    if (!queuing) return;
    queuing.handSize ||= 8;
    queuing.queues ||= 64;
    queuing.queueLengthLimit ||= 50;
  }

  override prepareForStatusUpdate(object: Level, old: Level): void {
    super.prepareForStatusUpdate(object, old);
    keepMetadata(object, old);
  }

  override validate({ metadata, spec, status }: Level): FieldError[] {
    return [
      ...(spec ? validateSpec(spec, metadata.name === 'exempt') : []),
      ...validateConditionTypes(status?.conditions ?? []),
    ];
  }

  override validateStatusUpdate({ status }: Level): FieldError[] {
    return validateConditionTypes(status?.conditions ?? []);
  }
}

function validateSpec(spec: PriorityLevelConfigurationSpec, isExempt: boolean): FieldError[] {
  const { type, exempt, limited } = spec;
  return [
    ...(isExempt === (type === 'Exempt')
      ? []
      : [invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'")]),
    ...requireChoice('spec.type', type, ['Exempt', 'Limited']),
    ...(type === 'Exempt' && limited
      ? [forbidden('spec.limited', 'must be nil if the type is not Limited')]
      : []),
    ...(type === 'Exempt' && exempt ? validateShares(exempt, 'spec.exempt') : []),
    ...(type === 'Limited' && exempt ? [forbidden('spec.exempt', 'must be nil if the type is Limited')] : []),
    ...(type === 'Limited' && limited ? validateLimited(limited, 'spec.limited') : []),
    ...(type === 'Limited' && !limited
      ? [required('spec.limited', 'must not be empty when type is Limited')]
      : []),
  ];
}

function validateShares(
  { nominalConcurrencyShares: shares = 0, lendablePercent = 0 }: LimitedPriorityLevelConfiguration,
  path: string,
): FieldError[] {
  return [
    ...(shares < 0
      ? [invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer')]
      : []),
    ...(lendablePercent < 0 || lendablePercent > 100
      ? [invalid(`${path}.lendablePercent`, lendablePercent, 'must be between 0 and 100, inclusive')]
      : []),
  ];
}

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: string): FieldError[] {
  const { limitResponse, borrowingLimitPercent: percent = 0 } = limited;
  return [
    ...validateShares(limited, path),
    ...validateLimitResponse(limitResponse ?? { type: '' }, `${path}.limitResponse`),
    ...(percent < 0
      ? [invalid(`${path}.borrowingLimitPercent`, percent, 'if specified, must be a non-negative integer')]
      : []),
  ];
}

function validateLimitResponse({ type, queuing }: LimitResponse, path: string): FieldError[] {
  const field = `${path}.queuing`;
  switch (type) {
    case 'Reject':
      return queuing ? [forbidden(field, 'must be nil if limited.limitResponse.type is not Limited')] : [];
    case 'Queue':
      return queuing
        ? validateQueuing(queuing, field)
        : [required(field, 'must not be empty if limited.limitResponse.type is Limited')];
    default:
      return requireChoice(`${path}.type`, type, ['Queue', 'Reject']);
  }
}

function validateQueuing(
  { queueLengthLimit = 0, queues = 0, handSize = 0 }: QueuingConfiguration,
  path: string,
): FieldError[] {
  const queuesProblem =
    queues <= 0
      ? 'must be positive'
      : queues > maxQueues
        ? `must not be greater than ${maxQueues}`
        : undefined;
  const handSizeProblem = problemOfHandSize(handSize, queues);
  return [
    ...(queueLengthLimit > 0
      ? []
      : [invalid(`${path}.queueLengthLimit`, queueLengthLimit, 'must be positive')]),
    ...(queuesProblem === undefined ? [] : [invalid(`${path}.queues`, queues, queuesProblem)]),
    ...(handSizeProblem === undefined ? [] : [invalid(`${path}.handSize`, handSize, handSizeProblem)]),
  ];
}

function problemOfHandSize(handSize: number, queues: number): string | undefined {
  if (handSize <= 0) return 'must be positive';
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  const bits = Math.ceil(Math.log2(queues) * handSize);
  return bits > hashBits
    ? `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBits}`
    : undefined;
}
