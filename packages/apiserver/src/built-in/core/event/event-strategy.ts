import type { ApiObject } from '../../../json/api-object.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { validateEvent, validateEventUpdate, validateLegacyEvent } from './validate-event.ts';
import type { Event } from 'ots-kubernetes/core/v1';
import type { BuiltInObject } from '../../../json/built-in-object.ts';

/** The fields of core v1 Events by their names in events.k8s.io. */
const coreNames = new Map([
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
]);
const newNames = new Map([...coreNames].map(([newName, coreName]) => [coreName, newName]));
/** Fields that one version shows when empty, and the other omits. */
const shownInCore = { reportingComponent: '', reportingInstance: '' };

/** Events of events.k8s.io: the objects of the core group with other field names. */
export class EventStrategy extends BuiltInStrategy {
  override toStorage(object: ApiObject): ApiObject {
    return { ...shownInCore, ...rename(object, coreNames), apiVersion: 'v1' };
  }

  override fromStorage(object: ApiObject): ApiObject {
    const renamed = rename(object, newNames);
    for (const name of ['reportingController', 'reportingInstance'])
      if (renamed[name] === '') delete renamed[name];
    return { ...renamed, apiVersion: 'events.k8s.io/v1' };
  }

  override validate(object: ApiObject): FieldError[] {
    return validateEvent(eventOf(this.toStorage(object)));
  }

  override validateUpdate(object: ApiObject, old: ApiObject): FieldError[] {
    return validateEventUpdate(eventOf(this.toStorage(object)), eventOf(this.toStorage(old)));
  }
}

function rename(object: ApiObject, names: ReadonlyMap<string, string>): ApiObject {
  const { apiVersion, kind, metadata, ...fields } = object;
  const renamed = Object.entries(fields).map(([name, value]) => [names.get(name) ?? name, value]);
  return { apiVersion, kind, metadata, ...Object.fromEntries(renamed) };
}

/** Casts a decoded object of the core version. */
function eventOf(object: ApiObject): BuiltInObject<Event> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- decoding checked its fields
  return object as BuiltInObject<Event>;
}

/** Events of the core group, which can change freely. */
export class CoreEventStrategy extends BuiltInStrategy {
  override validate(object: BuiltInObject<Event>): FieldError[] {
    return validateLegacyEvent(object, 'reportingComponent');
  }
}
