import type { Event } from 'ots-kubernetes/core/v1';
import type { FieldError } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { validateLegacyEvent } from './validate-event.ts';

/** Events of the core group, which can change freely. */
export class CoreEventStrategy extends BuiltInStrategy {
  override validate(object: BuiltInObject<Event>): FieldError[] {
    return validateLegacyEvent(object, 'reportingComponent');
  }
}
